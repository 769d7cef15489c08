import assert from 'node:assert/strict';
import type { Writer } from '../../db/store.ts';
import { at, mustOk } from '../harness/must.ts';
import { type Body } from '../tasks/_work.ts';
import { onEachDatabase, openCourt, type PanelDriver } from './_court.ts';

onEachDatabase('stakes and seats agree', (url) => {
  let driver: PanelDriver;
  before(async () => {
    driver = await openCourt({ judges: 1, databaseUrl: await url() });
  });
  after(() => driver.close());

  const broken = async (): Promise<unknown[]> => {
    const proof = mustOk(await driver.world.anyone.get('/api/v1/economy/conservation'));
    const found = (proof['differences'] as Body[]).map(({ check }) => check);
    assert.equal(at(proof, 'balanced') ?? found.length === 0, found.length === 0);
    return [...new Set(found)];
  };

  it('is noticed when they do not, whichever of the two is wrong', async () => {
    const { store } = driver.world.hub.running.hub;
    assert.deepEqual(await broken(), []);
    const wrongs: readonly [says: string, spoil: (tx: Writer) => Promise<unknown>][] = [
      ['a stake above what is held', (tx) => tx.knex('seats').update({ stake: 1_000_001 })],
      [
        'a seat that gave up its hold',
        (tx) =>
          tx
            .knex('seats')
            .update({ state: 'closed', stake: 0, hold_id: null, ended_at: 1 })
            .then(() => undefined),
      ],
      ['a stake of another network', (tx) => tx.knex('seats').update({ network: 'play' })],
    ];
    for (const [says, spoil] of wrongs) {
      const kept = await store.read((db) => db.knex('seats').first<Body>('*'));
      await store.write(async (tx) => void (await spoil(tx)));
      assert.deepEqual(await broken(), ['stakes-match'], says);
      await store.write(async (tx) => void (await tx.knex('seats').update(kept)));
      assert.deepEqual(await broken(), [], says);
    }
  });
});
