import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openReported, type Body, type ReportedFixture } from './_report.ts';

for (const [name, url] of DATABASES) {
  describe(`registry.reports (${name})`, () => {
    let desk: ReportedFixture;
    before(async () => {
      desk = await openReported(await url());
    });
    after(() => desk.world.close());

    it('is a page of reports, newest first, and says how many stand', async () => {
      const { world, path, report, reports } = desk;
      assert.deepEqual(
        [(await reports())['count'], (await reports())['open'], (await reports())['hasMore']],
        [0, 0, false],
      );
      const made: string[] = [];
      for (let n = 0; n < 3; n += 1) {
        const text = `number ${n}`;
        made.unshift(String(mustOk(await report(await world.agent(), { text }))['id']));
        world.hub.clock.advance(1);
      }
      const first = await reports('?limit=2');
      const rest = await reports(`?limit=2&after=${String(first['next'])}`);
      const ids = (page: Body): unknown[] => (page['reports'] as Body[]).map(({ id }) => id);
      assert.deepEqual([...ids(first), ...ids(rest)], made);
      assert.deepEqual([first['hasMore'], rest['hasMore'], first['open']], [true, false, 3]);
      const unknown = path.replace(/agents\/[0-9a-f]+/, `agents/${'0'.repeat(16)}`);
      mustRefuse(await world.anyone.get(unknown), 404, 'not-found');
    });
  });
}
