import { strict as assert } from 'node:assert';
import { fund, pay, person, run } from '../../conformance/ledger/book.ts';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import type { Account } from '../../domain/account.ts';
import type { Store } from '../store.ts';

const REFUSAL = /foreign key|an entry has|an entry stays|only be updated to DEFAULT/i;

onBothDatabases('entries and what they belong to', (open) => {
  let store: Store;
  let alice: Account;
  before(async () => {
    store = await open();
    alice = person();
    await fund(store, alice, 10n);
    await run(store, [pay(alice, person(), 4n)]);
  });

  const newest = '(SELECT max(seq) FROM transfers)';
  const entryOf = (account: string, transfer: string): string => `
    INSERT INTO entries (account_id, account_seq, transfer_seq, kind, reason, delta, posted_after,
      held_after, at)
    SELECT ${account}, max(account_seq) + 1, ${transfer}, 'move', 'pay', 1, 1, 0, 1 FROM entries`;
  const REFUSED: readonly (readonly [string, string])[] = [
    ['an entry of no account', entryOf('-7', newest)],
    ['an entry of no transfer', entryOf('max(account_id)', '-7')],
    ['the end of an account with entries', `DELETE FROM accounts WHERE class = 'user'`],
    ['the end of a transfer with entries', `DELETE FROM transfers WHERE seq = ${newest}`],
    ['another number of an account', `UPDATE accounts SET id = id + 1000 WHERE class = 'user'`],
    ['another number of a transfer', `UPDATE transfers SET seq = seq + 1000 WHERE seq = ${newest}`],
    [
      'an entry that is led to no transfer',
      `UPDATE entries SET transfer_seq = -7 WHERE transfer_seq = ${newest}`,
    ],
    [
      'an entry that is led to no account',
      `UPDATE entries SET account_id = -7 WHERE account_seq = 1 AND delta = 4`,
    ],
  ];
  for (const [what, change] of REFUSED) {
    it(`refuse ${what}`, async () => {
      const tried = store.write(async ({ knex }) => {
        await knex.raw(change);
      });
      await assert.rejects(tried, REFUSAL);
    });
  }

  it('take an entry whose account and transfer are there', async () => {
    const undone = new Error('undone');
    const tried = store.write(async ({ knex }) => {
      await knex.raw(entryOf('max(account_id)', newest));
      throw undone;
    });
    await assert.rejects(tried, (error) => error === undone);
  });
});
