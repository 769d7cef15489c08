import assert from 'node:assert/strict';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { keyAccount, keyIdOf } from '../../domain/account.ts';
import type { Account } from '../../domain/account.ts';
import { instant } from '../../domain/instant.ts';
import { atomic, ZERO } from '../../domain/money.ts';
import type { EligibleSeat } from '../../domain/validators/panel.ts';
import { NO_RECORD } from '../../domain/validators/seat.ts';
import type { ValidatorSeat } from '../../domain/validators/seat.ts';
import type { Store, Writer } from '../store.ts';
import { eligibleSeats, type Wanted } from './pool.ts';
import { insertRow } from '../batch/write.ts';
import { SEATS, seatOf } from './seats.ts';

const keyId = (n: number) => keyIdOf(new Uint8Array(32).fill(n));
const account = (n: number): Account => keyAccount(keyId(n));

const seat = (n: number, over: Partial<ValidatorSeat> = {}): ValidatorSeat => ({
  id: `01938c7a-9d4e-7c31-8a55-0b6f2d1e4c${String(n).padStart(2, '0')}`,
  account: account(n),
  network: 'sandbox',
  state: 'seated',
  endpoint: `https://judge${n}.example.com/`,
  endpointHost: `judge${n}.example.com`,
  minFeeBps: 0,
  stake: ZERO,
  seatedAt: instant(1),
  record: NO_RECORD,
  probe: { failed: 0 },
  ...over,
});

const anything: Wanted = {
  network: 'sandbox',
  reward: atomic(1_000_000n),
  requiredSkills: [],
  parties: [],
};

/** Lets the own key of one account act for another: they are one party from then on. */
async function link(tx: Writer, own: number, actsFor: number): Promise<void> {
  await tx
    .knex('keys')
    .insert({ key_id: keyId(own), account: account(actsFor), requested_at: 1, bound_at: 1 });
}

onBothDatabases('eligible seats', (open) => {
  let store: Store;
  before(async () => {
    store = await open();
    await store.write(async (tx) => {
      const skill = 'extraction';
      const record = { ...NO_RECORD, window: 'ad', answersMs: [3, 4], rounds: 2 };
      await insertRow(tx, SEATS, seat(1, { record }));
      await insertRow(tx, SEATS, seat(2, { skill }));
      await insertRow(
        tx,
        SEATS,
        seat(3, { paused: 'probe-pending', probe: { at: instant(5), failed: 1 } }),
      );
      await insertRow(tx, SEATS, seat(4, { state: 'closed', endedAt: instant(9) }));
      await insertRow(tx, SEATS, seat(5, { network: 'base' }));
      await insertRow(tx, SEATS, seat(6));
      await insertRow(tx, SEATS, seat(7));
      await insertRow(tx, SEATS, seat(8));
      await link(tx, 7, 6);
      await link(tx, 9, 8);
      await link(tx, 10, 6);
    });
  });

  const eligible = (over: Partial<Wanted> = {}): Promise<readonly EligibleSeat[]> =>
    store.decide({ needs: [], decide: (db) => eligibleSeats(db, { ...anything, ...over }) });
  const found = async (over: Partial<Wanted> = {}): Promise<readonly Account[]> => {
    const seats = await eligible(over);
    return seats.map(({ seat: each }) => each.account).sort();
  };
  const accounts = (...numbers: readonly number[]): Account[] => numbers.map(account).sort();

  it('are seated, awake, of the network, and of a skill that is asked for or of any', async () => {
    assert.deepEqual(await found(), accounts(1, 6, 7, 8));
    assert.deepEqual(await found({ requiredSkills: ['extraction'] }), accounts(1, 2, 6, 7, 8));
    assert.deepEqual(await found({ network: 'base' }), accounts(5));
    assert.deepEqual(await found({ network: 'play' }), []);
  });

  it('cover the reward by their ceiling', async () => {
    assert.deepEqual(await found({ reward: atomic(1_000_001n) }), []);
  });

  it('are no party, nor linked to one, over any number of steps', async () => {
    assert.deepEqual(await found({ parties: [account(1)] }), accounts(6, 7, 8));
    assert.deepEqual(await found({ parties: [account(6)] }), accounts(1, 8));
    assert.deepEqual(await found({ parties: [account(7)] }), accounts(1, 8));
    assert.deepEqual(await found({ parties: [account(10)] }), accounts(1, 8));
    assert.deepEqual(await found({ parties: [account(9)] }), accounts(1, 6, 7));
    assert.deepEqual(await found({ parties: [account(9), account(1), account(10)] }), []);
  });

  it('share a group when they are linked, and no other do', async () => {
    const seats = await eligible();
    const group = new Map(seats.map((each) => [each.seat.account, each.group]));
    assert.equal(group.get(account(6)), group.get(account(7)));
    assert.equal(new Set(group.values()).size, 3);
  });

  it('come back as they were saved', async () => {
    const read = (n: number) => store.read((db) => seatOf(db, account(n)));
    const record = { ...NO_RECORD, window: 'ad', answersMs: [3, 4], rounds: 2 };
    assert.deepEqual(await read(1), seat(1, { record }));
    assert.deepEqual(
      await read(3),
      seat(3, { paused: 'probe-pending', probe: { at: instant(5), failed: 1 } }),
    );
    assert.equal(await read(11), undefined);
  });
});
