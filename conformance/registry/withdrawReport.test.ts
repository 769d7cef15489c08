import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { moveListing } from '../../db/registry/move.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { fill, listing, set } from './_index.ts';
import { openReported, type ReportedFixture } from './_report.ts';

for (const [name, url] of DATABASES) {
  describe(`a report that is withdrawn (${name})`, () => {
    let desk: ReportedFixture;
    before(async () => {
      desk = await openReported(await url());
    });
    after(() => desk.world.close());

    it('keeps its place and loses its text; a repeat changes nothing, and another may follow', async () => {
      const { world, path, report, reports, shown } = desk;
      const { id } = mustOk(await report(world.alice, { text: 'It fails.' }));
      const call = `${path}/${String(id)}`;
      const done = mustOk(await world.alice.post(call, { withdraw: true }));
      assert.deepEqual(
        [done['state'], done['text'], done['reason']],
        ['withdrawn', undefined, 'inaccurate'],
      );
      world.hub.clock.advance(60);
      assert.deepEqual(mustOk(await world.alice.post(call, { withdraw: true })), done);
      assert.deepEqual(at(await reports(), 'reports', 0), done);
      assert.equal((await shown())['openReports'], undefined);
      mustOk(await report(world.alice));
      assert.equal((await shown())['openReports'], 1);
    });

    it('is its author’s alone', async () => {
      const { world, path, report } = desk;
      const { id } = mustOk(await report(await world.agent()));
      const other = await world.bob.post(`${path}/${String(id)}`, { withdraw: true });
      mustRefuse(other, 400, 'not-a-party');
      const none = `${path}/01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90`;
      mustRefuse(await world.alice.post(none, { withdraw: true }), 404, 'not-found');
    });

    it('is what a reporter’s second report becomes when two listings become one', async () => {
      const { world, agentId, shown, reports } = desk;
      const moved = listing('moved.example');
      await fill(world, [moved]);
      const found = moved.listing.id;
      await set(world, found, { verification: 'dns', passport_key_id: world.bob.keyId });
      const reporter = await world.agent();
      const body = { reporter: reporter.account, reason: 'broken' };
      mustOk(await reporter.post(`/api/v1/agents/${found}/reports`, body));
      mustOk(
        await world.alice.post(`/api/v1/agents/${found}/reports`, {
          reporter: world.alice.account,
          reason: 'hostile',
        }),
      );
      const before = Number((await shown())['openReports']);
      const { store } = world.hub.running.hub;
      const now = world.hub.clock.now();
      await store.write((tx) => moveListing(tx, { former: agentId, found }, now));
      // The reporter is new here; Alice's report of the former listing stands already.
      assert.equal((await shown())['openReports'], before + 1);
      const reasons = ((await reports())['reports'] as { reason: string; state: string }[]).map(
        ({ reason, state }) => `${reason} ${state}`,
      );
      assert.ok(reasons.includes('broken open') && reasons.includes('hostile withdrawn'));
    });
  });
}
