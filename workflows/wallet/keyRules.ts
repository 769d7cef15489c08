import { noteEvent } from '../../db/wallet/accountEvents.ts';
import { homeOf } from '../../db/wallet/homes.ts';
import { accountOfKey } from '../../db/wallet/keys.ts';
import {
  countRules,
  lockRules,
  putRule,
  ruleOf,
  RULES_PER_ACCOUNT_MAX,
  type KeyRule,
} from '../../db/wallet/policies.ts';
import { everReceived } from '../../db/wallet/used.ts';
import type { Writer } from '../../db/store.ts';
import { keyAccount, type Account, type KeyId } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { KeyPolicy } from '../../domain/wallet/policy.ts';
import { operationTable } from '../../generated/operations.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { rulingOf } from '../kernel/keyRuling.ts';
import { networkNamed } from './network.ts';

/** A change of the policy of a key by another key of its account (choices wallet.policies). */
export interface RuleChange {
  readonly account: Account;
  readonly keyId: KeyId;
  readonly by: KeyId;
  readonly operation: string;
  readonly at: Instant;
}

/**
 * Changes the row of a key under the lock of its account. The signing key is judged again under that
 * lock: of two keys that limit each other at once, the second one finds that it was limited.
 */
export async function changeRule(
  tx: Writer,
  change: RuleChange,
  next: (rule: KeyRule | undefined) => Pick<KeyRule, 'policy' | 'revokedAt' | 'revokedBy'>,
  kind: 'policy.set' | 'policy.removed' | 'key.revoked',
): Promise<KeyRule> {
  const { account, keyId, by, operation, at } = change;
  if (keyId === by) {
    refuse('wrong-state', {
      error: 'A key cannot limit or revoke itself: one key without limits stays in charge.',
      hint: 'Sign the call with another key of the account.',
      field: 'path.keyId',
    });
  }
  const found = await lockRules(tx, keyId, account);
  rulingOf(account, { operation, isRead: false, ownerKey: 'always' }).judge(
    await ruleOf(tx, by, account),
    at,
  );
  const rule = { ...change, ...next(found), setBy: by, setAt: at };
  if (found === undefined) await mustHaveRoom(tx, account);
  await putRule(tx, rule);
  noteEvent(tx, [account], { at, kind, subjectId: keyId, actor: account });
  const stored = await ruleOf(tx, keyId, account);
  if (stored === undefined) throw new Error('a policy that was stored is found');
  return stored;
}

/** Sets the policy of a key, bound or about to join; it counts from the commit on. */
export async function setRule(tx: Writer, change: RuleChange, policy: KeyPolicy): Promise<KeyRule> {
  await mustMayJoin(tx, change);
  return changeRule(tx, change, (found) => ({ policy, ...revocationOf(found) }), 'policy.set');
}

/** A revoked key gets no other policy: nothing gives it back. */
function revocationOf(found: KeyRule | undefined): Record<never, never> {
  if (found?.revokedAt === undefined) return {};
  return refuse('wrong-state', {
    error: 'This key was revoked, which cannot be undone.',
    hint: 'Make another key for what it did.',
    field: 'path.keyId',
  });
}

/** A policy as a caller named it: its operations and networks may not exist. */
type NamedPolicy = Omit<KeyPolicy, 'networks'> & { readonly networks?: readonly string[] };

/** Refuses names that a policy could never allow, since a mistyped one would allow nothing. */
export function checkedPolicy(
  hub: Hub,
  { networks, ...rest }: NamedPolicy,
  fieldOf: (member: string) => string,
): KeyPolicy {
  rest.operations?.forEach((name, at) => mustBeAllowable(name, fieldOf(`operations[${at}]`)));
  const known = networks?.map((name, at) => networkNamed(hub, name, fieldOf(`networks[${at}]`)));
  return defined({ ...rest, networks: known });
}

function mustBeAllowable(name: string, field: string): void {
  const spec = Object.values(operationTable).find(({ id }) => id === name);
  if (spec !== undefined && spec.ownerKey !== 'always') return;
  refuse('bad-request', {
    error:
      spec === undefined
        ? `The hub has no operation ${name}.`
        : `No key with a policy may call ${name}.`,
    hint: 'Name operations such as `wallet.pay`; `GET /api/v1` lists them all.',
    field,
  });
}

/** Refuses a key that has an account of its own or another one: it will never act for this one. */
async function mustMayJoin(tx: Writer, { account, keyId }: RuleChange): Promise<void> {
  const own = keyAccount(keyId);
  const home = await homeOf(tx, keyId);
  const isTaken =
    home === undefined ? own !== account && (await everReceived(tx, own)) : home !== account;
  if (!isTaken) return;
  refuse('key-bound', {
    error: `The key ${keyId} acts for another account, so it never acts for ${account}.`,
    hint: `Name a key of the account, or a new one: GET /api/v1/wallet/${account}/keys lists its keys.`,
    field: 'path.keyId',
  });
}

/** Refuses a key that does not act for the account. */
export async function mustBeBound(tx: Writer, { account, keyId }: RuleChange): Promise<void> {
  if ((await accountOfKey(tx, keyId)) === account) return;
  refuse('not-found', {
    error: `The key ${keyId} does not act for ${account}.`,
    hint: `GET /api/v1/wallet/${account}/keys lists its keys.`,
    field: 'path.keyId',
  });
}

async function mustHaveRoom(tx: Writer, account: Account): Promise<void> {
  if ((await countRules(tx, account)) < RULES_PER_ACCOUNT_MAX) return;
  refuse('ceiling-reached', {
    error: `An account has policies of at most ${RULES_PER_ACCOUNT_MAX} keys, revoked ones included.`,
    hint: 'Replace the policy of a key that has one.',
  });
}
