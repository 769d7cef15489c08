import type { components } from '../../../generated/types.ts';
import { shortAccount, usdc } from '../format.ts';
import { T } from '../texts.ts';
import { approvalTexts as A } from '../texts/approvals.ts';

type Schemas = components['schemas'];
export type Approval = Schemas['Approval'];
export type Bound = Schemas['BoundKey'];

/** A memo or title is untrusted and may be long; the whole request stands below the sentence. */
const QUOTED_LETTERS_MAX = 80;
const WINDOWS = ['day', 'month', 'hour'] as const;

/** Returns the account that would receive the money, if the request names one. */
export function receiverOf({ request }: Pick<Approval, 'request'>): string | undefined {
  return textIn(request, 'to') ?? textIn(request, 'worker');
}

/**
 * Says in one sentence which key wants to do what, for how much, and what it has spent of its limit.
 * `nameOf` returns the name to show for an account.
 */
export function sentenceOf(
  { operation, amount, network, keyId, request }: Approval,
  keys: readonly Bound[],
  nameOf: (account: string) => string = shortAccount,
): string {
  const key = keys.find(({ publicKey }) => publicKey === keyId);
  const who = key?.label ?? nameOf(`key:${keyId}`);
  const money = `${usdc(amount)} ${T.unit(network)}`;
  const receiver = receiverOf({ request });
  const act = Object.hasOwn(A.acts, operation) ? A.acts[operation] : undefined;
  const wish =
    act === undefined
      ? A.other(operation, money)
      : act(money, {
          to: receiver === undefined ? undefined : nameOf(receiver),
          about: quoted(request),
        });
  return [A.wants(who, wish), spentBy(key)].filter((part) => part !== '').join(' ');
}

function spentBy(key: Bound | undefined): string {
  const limits = key?.spending?.limits ?? [];
  const shown = WINDOWS.flatMap((name) => limits.filter(({ window }) => window === name)).at(0);
  if (shown === undefined) return '';
  return A.spent(A.windows[shown.window], usdc(shown.used), usdc(shown.limit));
}

const ABOUT = ['memo', 'title', 'question', 'address', 'model', 'tool', 'key', 'name'] as const;

function quoted(request: Approval['request']): string | undefined {
  const found = ABOUT.map((name) => textIn(request, name)).find((text) => text !== undefined);
  if (found === undefined) return undefined;
  const flat = found.replace(/\s+/g, ' ').trim();
  const short = [...flat].slice(0, QUOTED_LETTERS_MAX).join('');
  return short === flat ? `“${flat}”` : `“${short} …”`;
}

/** Returns a text of the body, the path or the query of the request that waits. */
function textIn(request: Approval['request'], name: string): string | undefined {
  const parts = [request['body'], request['path'], request['query'], request];
  for (const part of parts) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) continue;
    const value: unknown = Reflect.get(part, name);
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
