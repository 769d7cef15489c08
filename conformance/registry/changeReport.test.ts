import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openReported, type ReportedFixture } from './_report.ts';

for (const [name, url] of DATABASES) {
  describe(`registry.changeReport (${name})`, () => {
    let desk: ReportedFixture;
    let path: string;
    before(async () => {
      desk = await openReported(await url());
      const { id } = mustOk(await desk.report(desk.world.alice, { text: 'It fails.' }));
      path = `${desk.path}/${String(id)}`;
    });
    after(() => desk.world.close());

    it('stands beside the report for everybody, and a later one takes its place', async () => {
      const { world, reports } = desk;
      mustOk(await world.bob.post(path, { answer: 'It does not.' }));
      const later = mustOk(await world.bob.post(path, { answer: 'It did; mended.' }));
      assert.deepEqual(
        [later['answer'], later['answeredBy'], later['text'], later['state']],
        ['It did; mended.', world.bob.account, 'It fails.', 'open'],
      );
      assert.deepEqual(at(await reports(), 'reports', 0), later);
    });

    it('is the holder’s alone, of a report that stands', async () => {
      const { world, path: listed, agentId } = desk;
      const refused = await world.alice.post(path, { answer: 'Mine.' });
      const { hint } = mustRefuse(refused, 400, 'not-a-party');
      const [, call = ''] = /GET (\S+) says/.exec(String(hint)) ?? [];
      assert.equal(mustOk(await world.anyone.get(call))['agentId'], agentId);
      const none = `${listed}/01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90`;
      mustRefuse(await world.bob.post(none, { answer: 'What?' }), 404, 'not-found');
      mustRefuse(await world.bob.post(path, {}), 400, 'bad-request');
      mustOk(await world.alice.post(path, { withdraw: true }));
      const both = await world.bob.post(path, { answer: 'Mine.', withdraw: true });
      mustRefuse(both, 400, 'bad-request');
      const late = await world.bob.post(path, { answer: 'Thanks.' });
      mustRefuse(late, 400, 'wrong-state');
    });
  });
}
