import type { OnceKey } from '../../db/idempotency.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { sha256Hex } from '../../domain/digest.ts';
import { plus, seconds, type Instant } from '../../domain/instant.ts';
import { isObject } from '../../domain/jsonObject.ts';
import { canonical } from '../../domain/json.ts';
import type { RequestFacts } from './call.ts';

/** How long a key is kept that moves no money: clients retry within minutes. */
const KEPT_SECONDS = seconds(86_400);

/** How long a secret is shown again to the key of the call that made it. */
export const SECRET_SHOWN_SECONDS = seconds(600);

export function isShownAgain(madeAt: string, now: Instant): boolean {
  return now - Date.parse(madeAt) <= SECRET_SHOWN_SECONDS * 1000;
}

interface KeyedCall {
  readonly operation: string;
  readonly path: object;
  readonly caller: { readonly kind: string; readonly account?: Account };
  readonly request: RequestFacts;
  readonly idempotencyKey?: string | undefined;
}

/** Scope, key and digest of a once-only call; undefined when the caller gave no key. */
export function onceKey(call: KeyedCall, now: Instant): OnceKey | undefined {
  const wire = isObject(call.request.wireBody) ? call.request.wireBody : {};
  const { idempotencyKey: member, ...rest } = wire;
  const isMember = typeof member === 'string';
  const key = isMember ? member : call.idempotencyKey;
  if (key === undefined) return undefined;
  return {
    account: scopeOf(call),
    operation: call.operation,
    key,
    digest: sha256Hex(canonical({ path: call.path, body: rest })),
    ...defined({ until: isMember ? undefined : plus(now, KEPT_SECONDS) }),
  };
}

/** The account whose money moves: the caller's, or the one an unsigned call names in its path. */
function scopeOf({ caller, path, operation }: KeyedCall): Account {
  const account = caller.account ?? (path as { readonly owner?: Account }).owner;
  if (account === undefined) throw new Error(`${operation} is once-only and names no account`);
  return account;
}
