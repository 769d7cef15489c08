import assert from 'node:assert/strict';
import { instant } from '../../domain/instant.ts';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { fill, listing, set, skill } from '../registry/_index.ts';
import { publish } from '../tasks/_work.ts';

type Body = Record<string, unknown>;

const SUITE_MS_MAX = 60_000;
const DAY_MS = 86_400_000;
for (const [name, url] of DATABASES) {
  describe(`discovery.stats (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
    });
    after(() => world.close());

    const stats = async (): Promise<Body> => mustOk(await world.anyone.get('/api/v1/stats'));

    it('counts nothing while nothing is there', async () => {
      const { index, crawl } = await stats();
      assert.equal((index as Body)['listings'], 0);
      assert.deepEqual(crawl, {
        looks24h: 0,
        submissions24h: 0,
        waiting: 0,
        medianAgeSeconds: 0,
        oldestAgeSeconds: 0,
      });
    });

    it('counts listings by what was measured; the shares add up to all', async () => {
      const now = world.hub.clock.now();
      const old = { firstSeenAt: instant(now - 3 * DAY_MS), lastSeenAt: instant(now - DAY_MS / 2) };
      const checked = { lastCheckedAt: instant(now - 100_000) };
      const open = listing('a.example', { ...checked, verifiedOpen: true, firstSeenAt: now }, [
        skill('one', { accessCheckedAt: now, access: 'open' }),
        skill('two'),
      ]);
      const paid = listing('b.example', { ...old, ...checked, access: 'paid', quotesX402: true });
      const gone = listing('b.example', {
        ...old,
        kind: 'a2a',
        access: 'auth-required',
        availability: 'unreachable',
        missingSince: instant(now - DAY_MS / 2),
        lastCheckedAt: instant(now - 5_000_000),
      });
      await fill(world, [open, paid, gone]);
      await set(world, open.listing.id, { verification: 'dns', passport_key_id: 'k'.repeat(43) });
      const { index, crawl } = await stats();
      const { availability, access, ...counts } = index as Body;
      assert.deepEqual(counts, {
        listings: 3,
        origins: 2,
        a2a: 1,
        mcp: 2,
        hosted: 0,
        claimed: 1,
        provenDomains: 1,
        skills: 2,
        skillsProbed: 1,
        skillsPriced: 0,
        x402: 1,
        verifiedOpen: 1,
        added24h: 1,
        lost24h: 1,
      });
      const none = { unstable: 0, notSpeaking: 0, unknown: 0 };
      assert.deepEqual(availability, { ...none, live: 2, unreachable: 1 });
      assert.deepEqual(access, { open: 1, paid: 1, authRequired: 1, closed: 0, unknown: 0 });
      assert.equal(at(crawl, 'medianAgeSeconds'), 100);
      assert.equal(at(crawl, 'oldestAgeSeconds'), 5_000);
    });

    it('counts the exchange as it is now', async () => {
      await world.fund(world.alice, '1000000');
      await publish(world.alice, { rewardAmount: '10000' });
      const { exchange } = await stats();
      assert.ok(Number(at(exchange, 'accounts')) >= 1);
      assert.ok(Number(at(exchange, 'tasksOpen')) >= 1);
      assert.equal(at(exchange, 'calls24h'), 0);
      assert.equal(at(exchange, 'disputesOpen'), 0);
    });
  });
}
