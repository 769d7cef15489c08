import { addFeed, listFeeds } from '../../db/registry/crawlFeeds.ts';
import { feedKindOf, type CrawlFeed } from '../../domain/registry/crawlFeed.ts';
import { fakeClock } from '../harness/clock.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

/** The first pass over a feed, by a hub that is stopped and started again in the middle. */
export interface FirstRun {
  readonly pages: number;
  readonly feed: CrawlFeed;
  readonly proposals: number;
  readonly origins: number;
  /** Processor and waiting together, without the days that the cap takes. */
  readonly seconds: number;
  /** The most that the process had more than before, in MB. */
  readonly grownMb: number;
}

interface Given {
  readonly url: string;
  readonly pair: string;
  readonly databaseUrl: string;
  readonly restartAfterPages: number;
}

const rssMb = (): number => process.memoryUsage().rss / 2 ** 20;

export async function firstRun(given: Given): Promise<FirstRun> {
  const { url, pair, databaseUrl, restartAfterPages } = given;
  const clock = fakeClock();
  const open = (): Promise<Fixture> =>
    openFixture({ databaseUrl, clock, env: { HUB_ALLOW_PRIVATE_HOSTS: pair } });
  let world = await open();
  const feedOf = async (): Promise<CrawlFeed> => {
    const [feed] = await world.hub.running.hub.store.read(listFeeds);
    if (feed === undefined) throw new Error('the feed was added');
    return feed;
  };
  await world.hub.running.hub.store.write((tx) => addFeed(tx, url, feedKindOf(url), clock.now()));
  const [before, began] = [rssMb(), performance.now()];
  let [pages, most] = [0, before];
  let feed = await feedOf();
  do {
    clock.advance(Math.max(0, feed.nextPageAt - clock.now()) / 1000);
    await world.hub.runJob('crawlFeeds');
    feed = await feedOf();
    pages += 1;
    if (feed.failures > 2) throw new Error(`the feed cannot be read: ${feed.fault}`);
    most = Math.max(most, rssMb());
    if (pages === restartAfterPages) {
      await world.close();
      world = await open();
    }
  } while (feed.passStartedAt !== undefined || feed.failures > 0);
  const seconds = (performance.now() - began) / 1000;
  const count = async (table: string): Promise<number> => {
    const rows = await world.hub.running.hub.store.read((db) =>
      db.knex<{ readonly n: number }>(table).count({ n: '*' }),
    );
    return Number((rows as { readonly n: number }[])[0]?.n);
  };
  const [proposals, origins] = [await count('crawl_proposals'), await count('crawl_targets')];
  await world.close();
  return { pages, feed, proposals, origins, seconds, grownMb: most - before };
}
