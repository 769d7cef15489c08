import { isObject } from '../../domain/jsonObject.ts';
import { errorTable } from '../../generated/errors.ts';
import { HubError } from '../../workflows/kernel/errors.ts';
import type { Identity, WireInput } from '../http/wire.ts';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';

/** `GET /api/v1/tasks/{id}/submit` in the text of a hint. */
const CALL = /(?:GET|POST) (\/(?:api\/)?v1\/[^\s`'",;)]+)/g;
/** A hint that names a call, or says to send the refused one again. */
const NEXT = /\b(?:GET|POST) \/|\b(?:send|sent|sign|ask|call|try|stamp)\b[^.]*\bagain\b/i;
const OWN: readonly string[] = ['{owner}', '{account}'];

/**
 * The refusal with the calls of its hint as this caller can send them. A path gets the caller's
 * account as owner, and ids of the refused call where both paths are of the same thing or its body
 * names it. Other names in braces stay. A hint without a call ends with the refused call.
 */
export function withPlaces(
  thrown: unknown,
  spec: OperationSpec,
  { path, body }: WireInput,
  identity: Identity,
): unknown {
  if (!(thrown instanceof HubError)) return thrown;
  const { code, detail } = thrown;
  const hint = detail.hint ?? errorTable[code].hint;
  if (!hint.includes('{') && NEXT.test(hint)) return thrown;
  const account = identity.kind === 'visitor' ? path['owner'] : identity.account;
  const filled = hint.replaceAll(CALL, (call, target: string) =>
    call.replace(target, withNamed(filledPath(target, spec.path, path, account), body)),
  );
  const complete = NEXT.test(filled) ? filled : `${filled} Then send ${again()} again.`;
  if (complete === hint) return thrown;
  return thrown.with({ detail: { ...detail, hint: complete } });

  /** The refused call, with its form where the fault was: the caller puts the right value there. */
  function again(): string {
    const fault = /^path\.(\w+)/.exec(detail.field ?? '')?.[1];
    const given = fault === undefined ? path : { ...path, [fault]: undefined };
    const own = fault === undefined || identity.kind === 'visitor' ? undefined : identity.account;
    return `\`${spec.method} ${filledPath(spec.path, spec.path, given, own)}\``;
  }
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
    return typeof value === 'string' ? [inPath(value), ...query].join('?') : segment;
  });
  return segments.join('/');
}

/** A colon is allowed in a path, and accounts are read more easily with theirs. */
function inPath(value: string): string {
  return encodeURIComponent(value).replaceAll('%3A', ':');
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
