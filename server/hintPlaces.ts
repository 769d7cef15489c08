import { isObject } from '../domain/jsonObject.ts';
import { errorTable } from '../generated/errors.ts';
import { HubError } from './hub/errors.ts';
import type { Identity, WireInput } from './wire.ts';
import type { OperationSpec } from './hub/operation.ts';

/** `GET /api/v1/tasks/{id}/submit` in the text of a hint. */
const CALL = /(?:GET|POST) (\/(?:api\/)?v1\/[^\s`'",;)]+)/g;
const OWN: readonly string[] = ['{owner}', '{account}'];

/**
 * The refusal with the calls of its hint as this caller can send them: its own account where a path
 * names an owner, and the ids of the refused call where the paths are of the same thing, or its body
 * names a thing of them. What is
 * still in braces the caller takes from the list that the hint names.
 */
export function withPlaces(
  thrown: unknown,
  spec: OperationSpec,
  { path, body }: WireInput,
  identity: Identity,
): unknown {
  if (!(thrown instanceof HubError)) return thrown;
  const hint = thrown.detail.hint ?? errorTable[thrown.code].hint;
  if (!hint.includes('{')) return thrown;
  const account = identity.kind === 'visitor' ? path['owner'] : identity.account;
  const filled = hint.replaceAll(CALL, (call, target: string) =>
    call.replace(target, withNamed(filledPath(target, spec.path, path, account), body)),
  );
  if (filled === hint) return thrown;
  return new HubError(thrown.code, { ...thrown.detail, hint: filled }, thrown.headers);
}

function filledPath(
  target: string,
  template: string,
  values: WireInput['path'],
  account: unknown,
): string {
  const own = template.split('/');
  let isSame = true;
  const segments = target.split('/').map((segment, index) => {
    isSame &&= own[index] === segment;
    const [place = '', ...query] = segment.split('?');
    if (!/^\{[A-Za-z]+\}$/.test(place)) return withAccount(segment, account);
    if (OWN.includes(place) && typeof account === 'string') return [account, ...query].join('?');
    const value = isSame ? values[place.slice(1, -1)] : undefined;
    return typeof value === 'string' ? [encodeURIComponent(value), ...query].join('?') : segment;
  });
  return segments.join('/');
}

/** Collections whose things a body names beside the path, and how. */
const NAMED: readonly (readonly [place: string, name: string])[] = [
  ['/tasks/{id}', 'taskId'],
  ['/spaces/{id}', 'spaceId'],
];

/** `/api/v1/tasks/{id}/claim`, refused to a body with a `taskId`. */
function withNamed(target: string, body: unknown): string {
  if (!isObject(body)) return target;
  return NAMED.reduce((path, [place, name]) => {
    const value = body[name];
    const named = place.replace('{id}', () => encodeURIComponent(String(value)));
    return typeof value === 'string' ? path.replace(place, () => named) : path;
  }, target);
}

/** A query such as `?arbiter={account}`. */
function withAccount(segment: string, account: unknown): string {
  return typeof account === 'string' ? segment.replace('={account}', `=${account}`) : segment;
}
