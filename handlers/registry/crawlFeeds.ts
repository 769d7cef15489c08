import { listFeeds } from '../../db/registry/crawlFeeds.ts';
import { ecosystemRows } from '../../db/registry/ecosystem.ts';
import type { CrawlFeed } from '../../domain/registry/crawlFeed.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Call, Reply } from '../../workflows/kernel/call.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { FEED_FIGURES } from './present/feedFigures.ts';

/** One reading of the months goes through all proposals, so it is shared. */
export const crawlFeeds: Handler<'registry.crawlFeeds'> = (call, hub) =>
  hub.responses.costly<'registry.crawlFeeds'>(call, () => listed(call, hub));

function listed(
  { query: { by } }: Call<'registry.crawlFeeds'>,
  { store, clock }: Hub,
): Promise<Reply<'registry.crawlFeeds'>> {
  const at = clock.now();
  return store.read(async (db) => {
    const feeds = await listFeeds(db);
    const months = by === 'month' && (await ecosystemRows(db, at));
    return {
      status: 200,
      body: {
        count: feeds.length,
        feeds: feeds.map(present),
        ...(months && { months: months.map((row) => ({ ...row })), figures: [...FEED_FIGURES] }),
        at,
      },
    };
  });
}

function present(feed: CrawlFeed): Schemas['CrawlFeed'] {
  const { url, kind, names, failures, fault, refusal, lastPageAt, lastPassAt } = feed;
  const { pages, proposed, skipped, refused, packages = 0 } = feed.pass;
  return {
    url,
    kind,
    state: stateOf(feed),
    names,
    addedAt: feed.addedAt,
    lastPageAt,
    lastPassAt,
    nextPageAt: feed.nextPageAt,
    failures,
    fault,
    refusal,
    pass: { pages, proposed, packages, skipped, refused },
  };
}

function stateOf({ failures, passStartedAt }: CrawlFeed): 'waiting' | 'reading' | 'failing' {
  if (failures > 0) return 'failing';
  return passStartedAt === undefined ? 'waiting' : 'reading';
}
