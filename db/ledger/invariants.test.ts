import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { assertBooksBalance, differences } from '../../conformance/ledger/auditor.ts';
import {
  DEMAND,
  FEES,
  fund,
  hold,
  pay,
  person,
  release,
  run,
  sum,
  uuid,
} from '../../conformance/ledger/book.ts';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import type { Account } from '../../domain/account.ts';
import { commitmentId, type CommitmentId, type Step } from '../../domain/ledger/transfer.ts';
import { openStore, type Store } from '../store.ts';
import { audit } from '../audit/audit.ts';

onBothDatabases('ledger invariants', (open) => {
  let store: Store;
  before(async () => {
    store = await open();
  });

  it('keeps every invariant under random transfers, and finds every tampering', async () => {
    const people = Array.from({ length: 4 }, person);
    await Promise.all(people.map((each) => fund(store, each, 1_000n)));
    const openHolds: CommitmentId[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(choice(people.length), { minLength: 1, maxLength: 6 }), (choices) =>
        randomTransfer(store, people, choices, openHolds),
      ),
      { numRuns: 60 },
    );
    const found = await store.read(audit);
    assert.deepEqual(found.differences, []);
    for (const { total, held, committed } of found.sums) {
      assert.equal(total, 0n);
      assert.equal(held, committed);
    }
    for (const [invariant, change] of TAMPERINGS) {
      const tried = store.write(async (tx) => {
        await tx.knex.raw(change);
        const { differences: wrong } = await audit(tx);
        throw new Error(wrong.map((each) => each.invariant).join(' '));
      });
      await assert.rejects(tried, new RegExp(`\\b${invariant}\\b`), change);
    }
  });
});

/** Each breaks one rule by SQL that no CHECK refuses; rolled back after the audit saw it. */
const NEWEST = `transfer_seq = (SELECT max(transfer_seq) FROM entries WHERE kind = 'move')`;
const TAMPERINGS: readonly (readonly [string, string])[] = [
  ['I1', `UPDATE entries SET delta = delta + 1 WHERE ${NEWEST} AND kind = 'move' AND delta > 0`],
  ['I2', `UPDATE accounts SET posted = posted + 1 WHERE name = 'external:faucet'`],
  ['I3', `UPDATE accounts SET held = held + 1 WHERE posted > held AND class = 'user'`],
  ['I5', `UPDATE entries SET posted_after = posted_after + 1 WHERE ${NEWEST}`],
  ['I5', `UPDATE accounts SET seq = seq + 1 WHERE seq > 0`],
  ['I6', `UPDATE transfers SET network = 'play' WHERE seq = (SELECT max(seq) FROM transfers)`],
  ['I7', `UPDATE entries SET reason = 'pay' WHERE reason = 'faucet'`],
];

describe('auditor', () => {
  it('is not blind: it names what is wrong with the books', async () => {
    const store = await openStore('sqlite::memory:');
    const [alice, bob] = [person(), person()];
    await fund(store, alice, 10n);
    await run(store, [pay(alice, bob, 4n), hold(alice, commitmentId(uuid()), 2n)]);
    await assertBooksBalance(store);
    await store.write(async ({ knex }) => {
      await knex('accounts').where({ name: bob }).update({ posted: 5 });
      await knex('commitments').update({ remaining: 1 });
      await knex('entries').where({ reason: 'faucet' }).update({ reason: 'pay' });
    });
    assert.deepEqual(await differences(store), [
      'sandbox USDC: balances add up to 1',
      `${bob}: posted is 5, its entries say 4`,
      `${alice} holds 2 for commitments of 1`,
      'external:faucet was touched by pay',
    ]);
    await store.close();
  });
});

interface Choice {
  readonly verb: 'pay' | 'hold' | 'release' | 'capture' | 'fee';
  readonly from: number;
  readonly to: number;
  readonly amount: number;
}

function choice(people: number): fc.Arbitrary<Choice> {
  return fc.record({
    verb: fc.constantFrom('pay', 'hold', 'release', 'capture', 'fee'),
    from: fc.nat(people - 1),
    to: fc.nat(people - 1),
    amount: fc.integer({ min: 1, max: 600 }),
  });
}

/** Builds a transfer that may be short of money but breaks no rule, posts it, audits the books. */
async function randomTransfer(
  store: Store,
  people: readonly Account[],
  choices: readonly Choice[],
  openHolds: CommitmentId[],
): Promise<void> {
  const steps: Step[] = [];
  const taken: CommitmentId[] = [];
  const opened: CommitmentId[] = [];
  for (const { verb, from, to, amount } of choices) {
    const payer = people[from] ?? FEES;
    const payee = people[to] ?? FEES;
    const held = openHolds.find((each) => !taken.includes(each));
    if (verb === 'fee') steps.push(pay(payer, FEES, BigInt(amount)));
    else if (verb === 'hold') {
      const id = commitmentId(uuid());
      opened.push(id);
      steps.push(hold(payer, id, BigInt(amount)));
    } else if (verb === 'pay' || held === undefined) {
      if (payer !== payee) steps.push(pay(payer, payee, BigInt(amount)));
    } else {
      taken.push(held);
      if (verb === 'capture') steps.push(captured(held));
      steps.push(release(held));
    }
  }
  if (steps.length === 0) return;
  const done = await run(store, steps);
  if ('posted' in done) {
    openHolds.push(...opened);
    for (const each of taken) openHolds.splice(openHolds.indexOf(each), 1);
  }
  await assertBooksBalance(store);
}

function captured(commitment: CommitmentId): Step {
  const to = [{ account: DEMAND, amount: sum(1n), reason: 'call.charge' as const }];
  return { verb: 'capture', commitment, reason: 'call.charge', to };
}
