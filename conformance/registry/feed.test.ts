import assert from 'node:assert/strict';
import { instant } from '../../domain/instant.ts';
import { DATABASES } from '../harness/databases.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { fill, listing } from './_index.ts';

type Body = Record<string, unknown>;

const SUITE_MS_MAX = 120_000;
const COUNT = 1_200;
for (const [name, url] of DATABASES) {
  describe(`registry.feed (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
    });
    after(() => world.close());

    const pass = async (query = ''): Promise<{ head: Body; agents: Body[]; cursor: Body }> => {
      const answer = await world.anyone.get(`/api/v1/agents.ndjson${query}`);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers.get('content-type'), 'application/x-ndjson');
      const lines = answer.text.trimEnd().split('\n');
      const all = lines.map((line) => JSON.parse(line) as Body);
      const [head, ...rest] = all;
      const cursor = rest.pop();
      assert.ok(head !== undefined && cursor !== undefined);
      assert.deepEqual([head['line'], cursor['line']], ['hub', 'cursor']);
      assert.ok(rest.every(({ line }) => line === 'agent'));
      return { head, agents: rest.map(({ agent }) => agent as Body), cursor };
    };
    const queryOf = (cursor: Body): string => new URL(String(cursor['next'])).search;

    it('has a first and a last line when the index is empty', async () => {
      const { head, agents, cursor } = await pass();
      assert.equal(head['linesMax'], 500);
      assert.equal(head['introduced'], false);
      assert.deepEqual(agents, []);
      assert.deepEqual(
        [cursor['count'], cursor['complete'], cursor['afterId']],
        [0, true, undefined],
      );
    });

    it('gives 500 listings in a pass, and every listing once over all passes', async () => {
      const now = world.hub.clock.now();
      const found = Array.from({ length: COUNT }, (_, n) => {
        // Several changed in one moment: the id is the second part of the cursor.
        const lastCheckedAt = instant(now - 600_000 + Math.floor(n / 7));
        return listing(`a${n}.example`, { lastCheckedAt });
      });
      for (let n = 0; n < COUNT; n += 300) await fill(world, found.slice(n, n + 300));
      const seen: unknown[] = [];
      let query = '';
      let counts: unknown[] = [];
      for (let complete: unknown = false; complete !== true;) {
        const { agents, cursor } = await pass(query);
        counts = [...counts, cursor['count']];
        seen.push(...agents.map(({ id }) => id));
        complete = cursor['complete'];
        query = queryOf(cursor);
      }
      assert.deepEqual(counts, [500, 500, 200]);
      assert.equal(new Set(seen).size, COUNT);
      assert.equal(seen.length, COUNT);
      assert.deepEqual((await pass(query)).agents, [], 'nothing changed since');
    });

    it('gives what changed since a moment, and repeats what changed just now', async () => {
      const { clock } = world.hub;
      const since = new Date(clock.now()).toISOString();
      clock.advance(60);
      const fresh = listing('fresh.example', { lastCheckedAt: clock.now() });
      await fill(world, [fresh]);
      const { agents, cursor } = await pass(`?since=${since}`);
      assert.deepEqual(
        agents.map(({ id }) => id),
        [fresh.listing.id],
      );
      // A look that noted an earlier moment may commit after this pass: the cursor stays behind.
      assert.equal((await pass(queryOf(cursor))).agents.length, 1);
      clock.advance(60);
      const later = await pass(`?since=${since}`);
      assert.equal(later.agents.length, 1);
      assert.equal((await pass(queryOf(later.cursor))).agents.length, 0);
    });

    it('gives four times as much to who introduced itself', async () => {
      mustOk(await world.anyone.post('/api/v1/handshake', {}));
      const { head, agents, cursor } = await pass();
      assert.deepEqual([head['linesMax'], head['introduced']], [2000, true]);
      assert.equal(agents.length, COUNT + 1);
      assert.equal(cursor['complete'], true);
    });

    it('refuses half a cursor, and a cursor with a moment', async () => {
      const at = '2026-11-20T10:00:00.000Z';
      for (const query of [
        `afterSeenAt=${at}`,
        `afterId=${'a'.repeat(16)}`,
        `afterSeenAt=${at}&afterId=${'a'.repeat(16)}&since=${at}`,
      ]) {
        const answer = await world.anyone.get(`/api/v1/agents.ndjson?${query}`);
        mustRefuse(answer, 400, 'not-together');
      }
    });
  });
}
