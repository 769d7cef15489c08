import assert from 'node:assert/strict';
import { keyIdOf, type Account } from '../account.ts';
import { instant } from '../instant.ts';
import { commitmentId, type Step } from '../ledger/transfer.ts';
import { atomic } from '../money.ts';
import { firstTaken, flowOf, mergedParts, splitParts, type SpentPart } from './spentParts.ts';

const HOUR_MS = 3_600_000;
const [one, two] = [keyIdOf(new Uint8Array(32).fill(1)), keyIdOf(new Uint8Array(32).fill(2))];
const part = (keyId: SpentPart['keyId'], at: number, amount: bigint): SpentPart => ({
  keyId,
  at: instant(at),
  amount: atomic(amount),
});
const account = 'key:owner' as Account;
const id = commitmentId('00000000-0000-4000-8000-000000000001');
const next = commitmentId('00000000-0000-4000-8000-000000000002');

describe('the parts of a hold', () => {
  it('stay as far as the hold does, those of each key by themselves and the first ones longest', () => {
    const parts = [part(one, 1, 60n), part(two, 2, 100n), part(one, 3, 40n)];
    const { within, beyond } = splitParts(parts, 70n);
    assert.deepEqual(within, [part(one, 1, 60n), part(two, 2, 70n), part(one, 3, 10n)]);
    assert.deepEqual(beyond, [part(two, 2, 30n), part(one, 3, 30n)]);
  });

  it('are one part for one key and hour, and for one key alone where there are too many', () => {
    const hours = [part(one, 5, 1n), part(one, 7, 2n), part(one, HOUR_MS, 4n), part(two, 6, 8n)];
    const merged = [part(one, 5, 3n), part(one, HOUR_MS, 4n), part(two, 6, 8n)];
    assert.deepEqual(mergedParts(hours), merged);
    const many = Array.from({ length: 40 }, (_, nth) => part(one, nth * HOUR_MS, 1n));
    assert.deepEqual(mergedParts(many), [part(one, 0, 40n)]);
  });
});

describe('the parts of a transfer', () => {
  const holds = (parts: readonly SpentPart[], remaining = 100n) =>
    new Map([[id, { account, remaining, parts }]]);
  const release = (amount?: bigint): Step => ({
    verb: 'release',
    commitment: id,
    reason: 'task.payout.pending',
    ...(amount !== undefined && { amount: atomic(amount) }),
  });
  const hold = (amount: bigint, kind: 'payout' | 'bet'): Step => ({
    verb: 'hold',
    commitment: next,
    account,
    kind,
    amount: atomic(amount),
    reason: 'task.payout.pending',
  });

  it('go on with a hold that replaces theirs, and come back for the rest alone', () => {
    const { takings, returned } = flowOf(
      [release(), hold(70n, 'payout')],
      holds([part(one, 1, 100n)]),
    );
    assert.deepEqual(
      takings.map(({ parts }) => parts),
      [[part(one, 1, 70n)]],
    );
    assert.deepEqual(returned.get(account), [part(one, 1, 30n)]);
    const reversed = flowOf([hold(70n, 'payout'), release()], holds([part(one, 1, 100n)]));
    assert.deepEqual(reversed.returned.get(account), [part(one, 1, 30n)]);
  });

  it('go with a payment out of the same transfer, and come back after a capture of a part', () => {
    const to = 'key:worker' as Account;
    const amount = atomic(25n);
    const move: Step = { verb: 'move', from: account, to, amount, reason: 'pay' };
    assert.deepEqual(flowOf([release(), move], holds([part(one, 1, 100n)])).returned.get(account), [
      part(one, 1, 75n),
    ]);
    const legs = [{ account: to, amount, reason: 'task.reward' as const }];
    const capture: Step = { verb: 'capture', commitment: id, reason: 'task.escrow', to: legs };
    const paid = flowOf([capture, release(50n)], holds([part(one, 1, 100n)]));
    assert.deepEqual(paid.returned.get(account), [part(one, 1, 50n)]);
    assert.deepEqual(paid.takings[0]?.parts, [part(one, 1, 25n)]);
  });

  it('are taken first by who adds to a stake, and by another key that decides on a payout', () => {
    const steps = (kind: 'payout' | 'bet') =>
      flowOf([release(), hold(130n, kind)], holds([part(one, 1, 100n)])).takings;
    const first = (kind: 'payout' | 'bet', keyId: SpentPart['keyId']) =>
      steps(kind).map((taking) => firstTaken(taking, keyId));
    assert.deepEqual([first('bet', one), first('bet', two)], [[30n], [30n]]);
    assert.deepEqual([first('payout', one), first('payout', two)], [[30n], [130n]]);
  });
});
