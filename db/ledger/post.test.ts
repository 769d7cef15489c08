import { strict as assert } from 'node:assert';
import { assertBooksBalance } from '../../conformance/ledger/auditor.ts';
import {
  AT,
  DEMAND,
  FEES,
  fund,
  hold,
  pay,
  person,
  PLACE,
  release,
  run,
  spendable,
  sum,
  transfer,
  uuid,
} from '../../conformance/ledger/book.ts';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import type { Account } from '../../domain/account.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { commitmentId, type Step } from '../../domain/ledger/transfer.ts';
import { once } from '../idempotency.ts';
import type { Store } from '../store.ts';
import { totalsByReason, type TotalsOfReason } from '../wallet/totals.ts';
import { openHolds, type OpenHolds } from '../wallet/holds.ts';
import { balance } from './balances.ts';
import { postInside } from './postInside.ts';
import { statement } from './statement.ts';

onBothDatabases('post', (open) => {
  let store: Store;
  before(async () => {
    store = await open();
  });
  afterEach(() => assertBooksBalance(store));

  const heldOf = (account: Account): Promise<OpenHolds['listed']> =>
    store.look({ needs: [], decide: (db) => openHolds(db, { account, ...PLACE }).listed });
  const totalsOf = (account: Account, since: Instant): Promise<readonly TotalsOfReason[]> =>
    store.look({ needs: [], decide: (db) => totalsByReason(db, { account, ...PLACE, since }) });

  it('moves money once and shows both sides of it', async () => {
    const [alice, bob] = [person(), person()];
    await fund(store, alice, 100n);
    const done = await run(store, [pay(alice, bob, 30n)], { memo: 'for the map' });
    assert.ok('posted' in done);
    assert.equal(await spendable(store, alice), 70n);
    const { entries } = await store.read((db) => statement(db, bob, PLACE, { limit: 10 }));
    assert.deepEqual(entries, [
      {
        seq: 1,
        at: AT,
        direction: 'in',
        reason: 'pay',
        amount: 30n,
        balanceAfter: 30n,
        heldAfter: 0n,
        spendableAfter: 30n,
        counterparty: alice,
        event: 'test',
        ref: { kind: 'test', id: '1' },
        memo: 'for the map',
        transferId: done.transferId,
      },
    ]);
  });

  it('lets exactly ten of fifty concurrent payments through on a balance for ten', async () => {
    const [alice, bob] = [person(), person()];
    await fund(store, alice, 100n);
    const tries = Array.from({ length: 50 }, () => run(store, [pay(alice, bob, 10n)]));
    const ends = await Promise.all(tries);
    assert.equal(ends.filter((end) => 'posted' in end).length, 10);
    assert.deepEqual(
      ends.find((end) => 'refused' in end),
      { refused: 'insufficient-funds', account: alice, spendable: 0n, needed: 10n },
    );
    assert.equal(await spendable(store, bob), 100n);
  });

  it('makes an account once, however many pay it first at the same moment', async () => {
    const payers = Array.from({ length: 12 }, person);
    await Promise.all(payers.map((each) => fund(store, each, 5n)));
    const newcomer = person();
    await Promise.all(payers.map((each) => run(store, [pay(each, newcomer, 5n)])));
    assert.equal(await spendable(store, newcomer), 60n);
  });

  it('never deadlocks two that pay each other', async () => {
    const [alice, bob] = [person(), person()];
    await Promise.all([fund(store, alice, 100n), fund(store, bob, 100n)]);
    const both = Array.from({ length: 30 }, (_, index) =>
      run(store, [index % 2 === 0 ? pay(alice, bob, 1n) : pay(bob, alice, 1n)]),
    );
    await Promise.all(both);
    assert.equal(await spendable(store, alice), 100n);
  });

  it('does an idempotent payment once, however often it is sent at once', async () => {
    const [alice, bob] = [person(), person()];
    await fund(store, alice, 1_000n);
    const key = { account: alice, operation: 'wallet.pay', key: 'k1', digest: 'd' };
    const send = (digest: string): Promise<unknown> =>
      store.write((tx) =>
        once(tx, { ...key, digest }, AT, async () => {
          const done = await postInside(tx, transfer([pay(alice, bob, 7n)]));
          assert.ok('posted' in done);
          return { transferId: done.transferId };
        }),
      );
    const ends = await Promise.all(Array.from({ length: 20 }, () => send('d')));
    const first = ends.filter((end) => repeatedOf(end) === false);
    assert.equal(first.length, 1);
    assert.equal(ends.filter((end) => repeatedOf(end) === true).length, 19);
    assert.equal(new Set(ends.map((end) => JSON.stringify(resultOf(end)))).size, 1);
    assert.equal(await spendable(store, bob), 7n);
    assert.deepEqual(await send('another body'), { mismatch: true });
  });

  it('leaves the idempotency key free after a refusal', async () => {
    const [alice, bob] = [person(), person()];
    await fund(store, alice, 1n);
    const key = { account: alice, operation: 'wallet.pay', key: 'k', digest: 'd' };
    const send = (): Promise<unknown> =>
      store.write((tx) =>
        once(tx, key, AT, async () => {
          const done = await postInside(tx, transfer([pay(alice, bob, 5n)]));
          if ('refused' in done) throw new Error('insufficient-funds');
          return {};
        }),
      );
    await assert.rejects(send(), /insufficient-funds/);
    await fund(store, alice, 9n);
    assert.equal(repeatedOf(await send()), false);
  });

  it('holds, captures and releases, and lists what is held', async () => {
    const [alice, bob] = [person(), person()];
    await fund(store, alice, 100n);
    const first = commitmentId(uuid());
    await run(store, [hold(alice, first, 40n)]);
    const listed = await heldOf(alice);
    assert.deepEqual(listed, [
      {
        commitment: first,
        kind: 'call',
        ref: { kind: 'test', id: '1' },
        amount: 40n,
        since: AT,
        expiresAt: instant(AT + 5),
      },
    ]);
    const over = await run(store, [pay(alice, bob, 61n)]);
    assert.ok('refused' in over && over.spendable === 60n && over.needed === 61n);
    await run(store, [
      {
        verb: 'capture',
        commitment: first,
        reason: 'call.charge',
        to: [
          { account: bob, amount: sum(25n), reason: 'call.charge' },
          { account: FEES, amount: sum(5n), reason: 'call.charge' },
        ],
      },
      { verb: 'release', commitment: first, reason: 'call.return' },
    ]);
    const after = await store.read((db) => balance(db, alice, PLACE));
    assert.deepEqual(after, { posted: 70n, held: 0n, spendable: 70n, seq: 6 });
    assert.deepEqual(await heldOf(alice), []);
    const again = store.write((tx) => postInside(tx, transfer([release(first)])));
    await assert.rejects(again, /is closed/);
  });

  it('captures one commitment once, however many try at once', async () => {
    const [alice, bob] = [person(), person()];
    await fund(store, alice, 100n);
    const held = commitmentId(uuid());
    await run(store, [hold(alice, held, 100n)]);
    const capture = (): Step => ({
      verb: 'capture',
      commitment: held,
      reason: 'call.charge',
      to: [{ account: bob, amount: sum(100n), reason: 'call.charge' }],
    });
    const ends = await Promise.allSettled(Array.from({ length: 8 }, () => run(store, [capture()])));
    assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal(await spendable(store, bob), 100n);
  });

  it('pays out of the fee account although its money lies in many rows', async () => {
    const alice = person();
    const before = await spendable(store, FEES);
    await fund(store, alice, 640n);
    const fees = Array.from({ length: 64 }, () => run(store, [pay(alice, FEES, 10n)]));
    await Promise.all(fees);
    const has = before + 640n;
    assert.equal(await spendable(store, FEES), has);
    const back = (amount: bigint): Step => ({
      verb: 'move',
      from: FEES,
      to: DEMAND,
      amount: sum(amount),
      reason: 'recirculate',
    });
    assert.deepEqual(await run(store, [back(has + 1n)]), {
      refused: 'insufficient-funds',
      account: FEES,
      spendable: has,
      needed: has + 1n,
    });
    assert.ok('posted' in (await run(store, [back(has)])));
    assert.equal(await spendable(store, FEES), 0n);
  });

  it('pages a statement without a gap and sums it by reason', async () => {
    const [alice, bob] = [person(), person()];
    await fund(store, alice, 100n);
    for (let index = 0; index < 11; index += 1) await run(store, [pay(alice, bob, 2n)]);
    const seen: number[] = [];
    let before: number | undefined;
    do {
      const page = { limit: 5, ...(before !== undefined && { before }) };
      const { entries, next } = await store.read((db) => statement(db, alice, PLACE, page));
      seen.push(...entries.map(({ seq }) => seq));
      before = next;
    } while (before !== undefined);
    assert.deepEqual(
      seen,
      Array.from({ length: 12 }, (_, index) => 12 - index),
    );
    const totals = await totalsOf(alice, AT);
    assert.deepEqual(
      totals.map(({ reason, in: paid, out, count }) => [reason, paid, out, count]),
      [
        ['faucet', 100n, 0n, 1],
        ['pay', 0n, 22n, 11],
      ],
    );
    const later = instant(AT + 1);
    assert.deepEqual(await totalsOf(alice, later), []);
  });

  it('writes a transfer of very many legs as one', async () => {
    const [alice, ...others] = Array.from({ length: 301 }, person);
    assert.ok(alice !== undefined);
    await fund(store, alice, 300n);
    const held = others.map((each) => hold(each, commitmentId(uuid()), 1n));
    const done = await run(store, [...others.map((each) => pay(alice, each, 1n)), ...held]);
    assert.ok('posted' in done);
    assert.equal(await spendable(store, alice), 0n);
    const frees = held.map((step) => release(step.commitment));
    assert.ok('posted' in (await run(store, frees)));
  });

  it('keeps networks apart', async () => {
    const [alice, bob] = [person(), person()];
    await fund(store, alice, 100n);
    const done = await store.write((tx) =>
      postInside(tx, { ...transfer([pay(alice, bob, 1n)]), network: 'play' }),
    );
    assert.ok('refused' in done && done.spendable === 0n);
  });

  it('is refused an overdraft by the database itself, for every caller', async () => {
    const alice = person();
    await fund(store, alice, 5n);
    const set = (change: object): Promise<unknown> =>
      store.write(({ knex }) => knex('accounts').where({ name: alice }).update(change));
    await assert.rejects(set({ posted: -1 }), /check/i);
    await assert.rejects(set({ held: 6 }), /check/i);
    await assert.rejects(set({ held: -1 }), /check/i);
    const minted = store.write(({ knex }) =>
      knex('accounts').insert({
        network: 'base',
        asset: 'USDC',
        name: 'external:faucet',
        class: 'external',
        shard: 0,
        posted: 0,
        held: 0,
        seq: 0,
      }),
    );
    await assert.rejects(minted, /check/i);
  });
});

function repeatedOf(end: unknown): unknown {
  return typeof end === 'object' && end !== null && 'repeated' in end ? end.repeated : undefined;
}

function resultOf(end: unknown): unknown {
  return typeof end === 'object' && end !== null && 'result' in end ? end.result : undefined;
}
