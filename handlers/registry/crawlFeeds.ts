import { listFeeds } from '../../db/registry/crawlFeeds.ts';
import type { CrawlFeed } from '../../domain/registry/crawlFeed.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';

export const crawlFeeds: Handler<'registry.crawlFeeds'> = async (_, hub) => {
  const feeds = await hub.store.read(listFeeds);
  return {
    status: 200,
    body: { count: feeds.length, feeds: feeds.map(present), at: hub.clock.now() },
  };
};

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
