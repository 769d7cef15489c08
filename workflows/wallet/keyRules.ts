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
import type { Instant } from '../../domain/instant.ts';
import { refuse } from '../../server/hub/errors.ts';
import { rulingOf } from '../../server/hub/keyRuling.ts';

/** A change of the policy of a key by another key of its account (choices wallet.policies). */
export interface RuleChange {
  readonly account: Account;
  readonly keyId: KeyId;
  /** The key that signed. */
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

/** Refuses a key that has an account of its own or another one: it will never act for this one. */
export async function mustMayJoin(tx: Writer, { account, keyId }: RuleChange): Promise<void> {
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
