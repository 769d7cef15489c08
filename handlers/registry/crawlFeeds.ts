import { listFeeds } from '../../db/registry/crawlFeeds.ts';
import { defined } from '../../domain/defined.ts';
import { iso } from '../../domain/instant.ts';
import type { CrawlFeed } from '../../domain/registry/crawlFeed.ts';
import type { components } from '../../generated/types.ts';
import type { Handler } from '../../server/hub/handler.ts';

export const crawlFeeds: Handler<'registry.crawlFeeds'> = async (_, hub) => {
  const feeds = await hub.store.read(listFeeds);
  return {
    status: 200,
    body: { count: feeds.length, feeds: feeds.map(present), at: iso(hub.clock.now()) },
  };
};

function present(feed: CrawlFeed): components['schemas']['CrawlFeed'] {
  const { url, kind, names, failures, fault, refusal, lastPageAt, lastPassAt } = feed;
  const { pages, proposed, skipped, refused } = feed.pass;
  return {
    url,
    kind,
    state: stateOf(feed),
    names,
    addedAt: iso(feed.addedAt),
    ...(lastPageAt !== undefined && { lastPageAt: iso(lastPageAt) }),
    ...(lastPassAt !== undefined && { lastPassAt: iso(lastPassAt) }),
    nextPageAt: iso(feed.nextPageAt),
    failures,
    ...defined({ fault, refusal }),
    pass: { pages, proposed, skipped, refused },
  };
}

function stateOf({ failures, passStartedAt }: CrawlFeed): 'waiting' | 'reading' | 'failing' {
  if (failures > 0) return 'failing';
  return passStartedAt === undefined ? 'waiting' : 'reading';
}
