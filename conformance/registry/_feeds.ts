import { addFeed, listFeeds } from '../../db/registry/crawlFeeds.ts';
import { feedKindOf, type CrawlFeed } from '../../domain/registry/crawlFeed.ts';
import { allowing, startSite, type Serve, type Site } from '../../clients/examples/agents/site.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';

/** A hub that may call a site which serves a feed. */
export interface FeedWorld extends Fixture {
  readonly site: Site;
  add(path: string): Promise<string>;
  /** Reads pages until the passes that are under way are complete, or so many times. */
  read(most?: number): Promise<number>;
  feed(): Promise<CrawlFeed>;
  /** Addresses that the crawler has of an origin. */
  origins(): Promise<readonly string[]>;
}

export async function openFeeds(
  serve: Serve,
  env: Readonly<Record<string, string>> = {},
): Promise<FeedWorld> {
  const site = await startSite(serve);
  const world = await openFixture({ env: { ...allowing(site), ...env } });
  return feedWorld(world, site);
}

export function feedWorld(world: Fixture, site: Site): FeedWorld {
  const { store } = world.hub.running.hub;
  const feed = async (): Promise<CrawlFeed> => {
    const [first] = await store.read(listFeeds);
    if (first === undefined) throw new Error('the feed was added');
    return first;
  };
  return {
    ...world,
    site,
    feed,
    async add(path) {
      const url = site.url + path;
      await store.write((tx) => addFeed(tx, url, feedKindOf(url), world.hub.clock.now()));
      return url;
    },
    async read(most = 100) {
      let pages = 0;
      do {
        await world.hub.runJob('crawlFeeds');
        world.hub.clock.advance(1);
        pages += 1;
      } while (pages < most && (await feed()).passStartedAt !== undefined);
      return pages;
    },
    async origins() {
      const rows = await store.read((db) =>
        db.knex('crawl_targets').select('origin').orderBy('origin'),
      );
      return (rows as { readonly origin: string }[]).map(({ origin }) => origin);
    },
  };
}

export async function shownFeed(world: Fixture): Promise<Record<string, unknown>> {
  const { feeds } = mustOk(await world.anyone.get('/api/v1/crawl/feeds'));
  return (feeds as Record<string, unknown>[])[0] ?? {};
}
