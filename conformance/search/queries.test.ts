import assert from 'node:assert/strict';
import { sharedPostgres } from '../harness/databases.ts';
import { mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { fill } from '../registry/_index.ts';
import { listings, queries, scoresOf } from './_set.ts';

type Body = Record<string, unknown>;

const SUITE_MS_MAX = 180_000;
const TOP = 5;

describe('the published query set', function suite() {
  this.timeout(SUITE_MS_MAX);
  let sqlite: Fixture;
  let postgres: Fixture;
  const answers: { sqlite: string[][]; postgres: string[][] } = { sqlite: [], postgres: [] };
  before(async () => {
    sqlite = await openFixture();
    postgres = await openFixture({ databaseUrl: await (await sharedPostgres()).freshDatabase() });
    for (const world of [sqlite, postgres]) await fill(world, listings);
  });
  after(async () => {
    await sqlite.close();
    await postgres.close();
  });

  const hosts = async (world: Fixture, query: string): Promise<string[]> => {
    const path = `/api/v1/agents?limit=10&q=${encodeURIComponent(query)}`;
    const agents = mustOk(await world.anyone.get(path))['agents'] as Body[];
    return agents.map(({ origin }) => new URL(String(origin)).host);
  };

  it('has at least 120 queries over 300 listings, each with an answer that exists', () => {
    const known = new Set(listings.map(({ listing }) => listing.host));
    assert.ok(queries.length >= 120 && listings.length >= 300);
    assert.equal(known.size, listings.length);
    assert.deepEqual(
      queries.flatMap(({ right }) => right.filter((host) => !known.has(host))),
      [],
    );
  });

  it('finds a right answer among the first five of at least 94 in 100', async () => {
    for (const { query } of queries) answers.sqlite.push(await hosts(sqlite, query));
    const { top1, top5, mrr, missed } = scoresOf(answers.sqlite);
    assert.ok(top5 >= 0.94, `top-5 ${top5}\n${missed.join('\n')}`);
    assert.ok(top1 >= 0.8, `top-1 ${top1}`);
    assert.ok(mrr >= 0.85, `MRR ${mrr}`);
  });

  it('gives the same first five on both databases', async () => {
    for (const { query } of queries) answers.postgres.push(await hosts(postgres, query));
    for (const [n, { query }] of queries.entries()) {
      assert.deepEqual(answers.postgres[n]?.slice(0, TOP), answers.sqlite[n]?.slice(0, TOP), query);
    }
  });
});
