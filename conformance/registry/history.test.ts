import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { saveChanges, saveProbes } from '../../db/registry/probes.ts';
import { instant } from '../../domain/instant.ts';
import { fill, listing, skill } from './_index.ts';

type Body = Record<string, unknown>;

const SUITE_MS_MAX = 60_000;
const DAY_MS = 86_400_000;
const DESK = listing('desk.example', { name: 'Desk' }, [skill('write')]);
const PRICE = { path: 'tools/write/price', change: 'changed' } as const;

for (const [name, url] of DATABASES) {
  describe(`registry.history (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    const { id } = DESK.listing;
    const noon = Date.parse('2026-11-18T12:00:00Z');
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await fill(world, [DESK]);
    });
    after(() => world.close());

    const history = async (query = ''): Promise<Body> =>
      mustOk(await world.anyone.get(`/api/v1/agents/${id}/history${query}`));

    it('is empty before the first look, and 404 for an unknown listing', async () => {
      const none = await history();
      assert.deepEqual([none['days'], none['changes'], none['hasMore']], [[], [], false]);
      const nobody = await world.anyone.get(`/api/v1/agents/${'0'.repeat(16)}/history`);
      mustRefuse(nobody, 404, 'not-found');
    });

    it('shows each day in UTC: looks with a verdict, answers, uptime, the median time', async () => {
      const looks = [
        { at: instant(noon - DAY_MS), verdict: 'unknown', latencyMs: 0 },
        { at: instant(noon), verdict: 'live', latencyMs: 300 },
        { at: instant(noon + 3_600_000), verdict: 'unreachable', latencyMs: 0 },
        { at: instant(noon + 7_200_000), verdict: 'live', latencyMs: 100 },
        { at: instant(noon + 10_800_000), verdict: 'live', latencyMs: 200 },
        { at: instant(noon + DAY_MS), verdict: 'not-speaking', latencyMs: 0 },
      ] as const;
      const { store } = world.hub.running.hub;
      await store.write((tx) => saveProbes(tx, [{ id, looks }]));
      assert.deepEqual((await history())['days'], [
        { day: '2026-11-19', looks: 1, answered: 0, uptime: 0 },
        { day: '2026-11-18', looks: 4, answered: 3, uptime: 0.75, latencyMs: 200 },
        { day: '2026-11-17', looks: 0, answered: 0 },
      ]);
    });

    it('shows what changed, the newest first, prices among it, as many as are asked for', async () => {
      const { store } = world.hub.running.hub;
      await store.write(async (tx) => {
        await saveChanges(tx, id, instant(noon), [
          { ...PRICE, before: '100 USDC', after: '150 USDC' },
        ]);
        await saveChanges(tx, id, instant(noon + DAY_MS), [
          { path: 'tools/draw', change: 'added', after: 'Draws.' },
        ]);
      });
      const all = await history();
      assert.deepEqual(all['changes'], [
        { at: '2026-11-19T12:00:00.000Z', path: 'tools/draw', change: 'added', after: 'Draws.' },
        { at: '2026-11-18T12:00:00.000Z', ...PRICE, before: '100 USDC', after: '150 USDC' },
      ]);
      assert.equal(all['hasMore'], false);
      assert.equal(all['contentIsUntrusted'], true);
      const one = await history('?limit=1');
      assert.deepEqual([at(one, 'changes', 0, 'path'), one['hasMore']], ['tools/draw', true]);
      const rest = await history(`?limit=1&after=${String(one['next'])}`);
      assert.deepEqual([at(rest, 'changes', 0, 'path'), rest['hasMore']], [PRICE.path, false]);
      assert.deepEqual([one['count'], rest['count'], rest['next']], [1, 1, undefined]);
    });
  });
}
