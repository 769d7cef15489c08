import assert from 'node:assert/strict';
import { houseAccount, keyAccount, keyIdOf } from '../../domain/account.ts';
import { instant } from '../../domain/instant.ts';
import { commitmentId, transferId, type Step } from '../../domain/ledger/transfer.ts';
import { atomic } from '../../domain/money.ts';
import { viewIn } from '../batch/look.ts';
import { balance } from '../ledger/balances.ts';
import { postInside } from '../ledger/postInside.ts';
import { openStore, type Reader, type Store } from '../store.ts';
import { HOLDS_LISTED_MAX, openHolds, type OpenHolds } from './holds.ts';

const PLACE = { network: 'sandbox', asset: 'USDC' } as const;
const OWNER = keyAccount(keyIdOf(new Uint8Array(32).fill(7)));

const openNow = (reader: Reader): Promise<OpenHolds> =>
  viewIn(reader, { needs: [], decide: (db) => openHolds(db, { account: OWNER, ...PLACE }) });

describe('open holds', () => {
  let store: Store;
  beforeEach(async () => {
    store = await openStore('sqlite::memory:');
  });
  afterEach(() => store.close());

  for (const count of [0, 1, HOLDS_LISTED_MAX - 1, HOLDS_LISTED_MAX, HOLDS_LISTED_MAX + 3]) {
    it(`add up to what is held when there are ${count}`, async () => {
      await fund(count);
      for (let number = 1; number <= count; number += 1) await hold(number);
      const [has, { listed, older }] = await store.read(async (db) => [
        await balance(db, OWNER, PLACE),
        await openNow(db),
      ]);
      const sum = [...listed, ...older].reduce((total, each) => total + each.amount, 0n);
      assert.equal(sum, has.held);
      assert.equal(listed.length, Math.min(count, HOLDS_LISTED_MAX));
      const since = listed.map((each) => each.since);
      assert.deepEqual(
        since,
        [...since].sort((a, b) => a - b),
        'oldest first',
      );
      assert.equal(
        older.reduce((total, each) => total + each.count, 0),
        Math.max(0, count - HOLDS_LISTED_MAX),
      );
    }).timeout(20_000);
  }

  it('folds those too many to list by kind, with the time of the oldest', async () => {
    const count = HOLDS_LISTED_MAX + 3;
    await fund(count);
    for (let number = 1; number <= count; number += 1) await hold(number);
    const { older } = await store.read(openNow);
    assert.deepEqual(older, [
      { kind: 'bet', count: 1, amount: 2n, since: 2 },
      { kind: 'task', count: 2, amount: 4n, since: 1 },
    ]);
  }).timeout(20_000);

  /** Holds 1, 2, 3 ... of as many units, each at that millisecond; the even ones are bets. */
  function hold(number: number): Promise<void> {
    const [kind, reason] =
      number % 2 === 0 ? (['bet', 'bet.hold'] as const) : (['task', 'task.escrow'] as const);
    const commitment = commitmentId(uuid(1_000_000 + number));
    const amount = atomic(BigInt(number));
    const step: Step = { verb: 'hold', commitment, account: OWNER, kind, amount, reason };
    return write(number, [step]);
  }

  function fund(count: number): Promise<void> {
    const from = houseAccount('external:faucet');
    const amount = atomic(BigInt(((count + 1) * count) / 2 + 1));
    return write(0, [{ verb: 'move', from, to: OWNER, amount, reason: 'faucet' }]);
  }

  async function write(number: number, steps: readonly Step[]): Promise<void> {
    const posted = await store.write((tx) =>
      postInside(tx, {
        ...PLACE,
        id: transferId(uuid(number)),
        at: instant(number),
        event: 'test',
        ref: { kind: 'test', id: `${number}` },
        actor: 'hub',
        steps,
      }),
    );
    assert.ok(!('refused' in posted));
  }
});

function uuid(number: number): string {
  return `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
}
