import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { listedSkill, probedListing } from '../../db/registry/fixture.ts';
import { saveListings } from '../../db/registry/listings.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { publish, type Body } from './_work.ts';

for (const [name, url] of DATABASES) {
  describe(`tasks.matches (${name})`, () => {
    let world: Fixture;
    before(async function start() {
      this.timeout(30_000);
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '10000000');
      const found = [
        ['https://one.example', ['extract_prices', 'ocr']],
        ['https://two.example', ['ocr']],
        ['https://three.example', ['translate']],
      ] as const;
      const looked = found.map(([origin, skills]) => ({
        listing: probedListing({ origin }),
        skills: skills.map((skill) => listedSkill(skill)),
      }));
      await world.hub.running.hub.store.write((tx) => saveListings(tx, looked));
      await world.hub.runJob('searchIndex');
    });
    after(() => world.close());

    const matches = async (id: string, query = ''): Promise<Body[]> => {
      const body = mustOk(await world.anyone.get(`/api/v1/tasks/${id}/matches${query}`));
      assert.equal(body['count'], (body['matches'] as Body[]).length);
      return body['matches'] as Body[];
    };

    it('lists who offers most of the required skills first', async () => {
      const task = await publish(world.alice, { requiredSkills: ['ocr', 'extract_prices'] });
      const found = await matches(task.id);
      assert.deepEqual(
        found.map(({ origin, matchedSkills }) => [origin, matchedSkills]),
        [
          ['https://one.example', ['extract_prices', 'ocr']],
          ['https://two.example', ['ocr']],
        ],
      );
      const page = mustOk(await world.anyone.get(`/api/v1/tasks/${task.id}/matches?limit=1`));
      assert.deepEqual([page['count'], page['hasMore']], [1, true]);
      const rest = await matches(task.id, `?limit=1&after=${String(page['next'])}`);
      assert.deepEqual(
        rest.map(({ origin }) => origin),
        ['https://two.example'],
      );
    });

    it('goes by the title when no skill is required', async () => {
      const task = await publish(world.alice, { title: 'Translate a page' });
      const [first] = await matches(task.id);
      assert.deepEqual(
        [first?.['origin'], first?.['matchedSkills']],
        ['https://three.example', []],
      );
    });

    it('is empty when no agent offers it, and 404 without the task', async () => {
      const task = await publish(world.alice, { requiredSkills: ['alchemy'] });
      assert.deepEqual(await matches(task.id), []);
      const nobody = '/api/v1/tasks/01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90/matches';
      mustRefuse(await world.anyone.get(nobody), 404, 'not-found');
    });
  });
}
