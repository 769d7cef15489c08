import { strict as assert } from 'node:assert';
import { AT, person, transfer, uuid } from './book.ts';
import { parseKeyId, type Account } from '../../domain/account.ts';
import type { Step } from '../../domain/ledger/transfer.ts';
import { IDEMPOTENCY, onceIn, type OnceOutcome } from '../../db/idempotency.ts';
import { post, readsOf } from '../../db/ledger/post.ts';
import { NONCES, type Nonce } from '../../db/nonces.ts';
import type { Store } from '../../db/store.ts';
import { need } from '../../db/batch/need.ts';
import type { Transaction } from '../../db/batch/transaction.ts';

/** Transactions in which ledger tests are written. */
const KEY = parseKeyId('8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR') ?? assert.fail();
/** Whose account keys of `Paying` are kept under. */
export const ONE = person();

/** A signed payment as an operation makes it: a nonce that stays, and what is done once. */
export interface Paying {
  readonly steps: readonly Step[];
  readonly nonce?: string;
  readonly key?: string;
  readonly digest?: string;
  readonly owners?: readonly Account[];
  /** Whether the batch does not know what it reads, and finds out. */
  readonly isUnforeseen?: boolean;
  /** Thrown when all was decided. */
  readonly fails?: string;
}
export type Answer = OnceOutcome<string>;

export function paying(
  store: Pick<Store, 'dialect'>,
  { steps, ...given }: Paying,
): Transaction<Answer> {
  const nonce: Nonce = { keyId: KEY, nonce: given.nonce ?? uuid() };
  const scope = { account: person(), operation: 'test', key: uuid(), digest: 'd' };
  const once = {
    ...scope,
    ...(given.key !== undefined && { account: ONE, key: given.key }),
    digest: given.digest ?? 'd',
  };
  const asked = transfer(steps);
  const needs = [
    need(NONCES, nonce),
    need(IDEMPOTENCY, once),
    ...readsOf(store.dialect, asked, given.owners),
  ];
  return {
    needs: given.isUnforeseen === true ? [] : needs,
    admit(db) {
      if (db.find(NONCES, nonce) !== undefined) throw new Error('replayed');
      db.put(NONCES, nonce, { ...nonce, seenAt: AT });
    },
    decide: (db) =>
      onceIn(db, once, AT, () => {
        const posted = post(db, asked);
        db.publish(`paid ${once.key}`);
        if ('refused' in posted) throw new Error(`${posted.refused} ${posted.needed}`);
        if (given.fails !== undefined) throw new Error(given.fails);
        return posted.transferId;
      }),
  };
}
