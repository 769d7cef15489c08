import type { FeedPlace } from '../../db/registry/page.ts';
import { defined } from '../../domain/defined.ts';
import { instant, iso } from '../../domain/instant.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { contract } from '../discovery/content/contract.ts';
import {
  feedPass,
  LINES,
  LINES_INTRODUCED,
  type FeedEnd,
  type Pass,
} from '../../workflows/registry/feed.ts';
import { presentListing } from '../../workflows/registry/present/listing.ts';
import { UNTRUSTED_LISTINGS } from '../untrusted.ts';

type Query = Call<'registry.feed'>['query'];
type FeedLine = Schemas['FeedLine'];

const WHAT =
  'Agent Exchange Hub: an index of agents that speak A2A or MCP, built by a crawler; what it says of them was measured. Each line is one JSON object; the last one has the cursor of the next pass.';

/** The index line by line; the reader's pace is the pace. */
export const feed: Handler<'registry.feed'> = async ({ query, caller }, hub) => {
  const after = placeOf(query);
  const introduced = await hub.allowances.isCallerIntroduced(caller.ip);
  const linesMax = introduced ? LINES_INTRODUCED : LINES;
  return {
    status: 200,
    type: 'application/x-ndjson',
    body: lines(hub, { linesMax, ...defined({ after }) }, introduced),
  };
};

async function* lines(hub: Hub, pass: Pass, introduced: boolean): AsyncGenerator<FeedLine> {
  const { baseUrl } = hub.settings;
  yield {
    line: 'hub',
    hub: WHAT,
    version: contract.info.version,
    baseUrl,
    at: hub.clock.now(),
    linesMax: pass.linesMax,
    introduced,
    ...UNTRUSTED_LISTINGS,
  };
  for await (const part of feedPass(hub, pass)) {
    if (part.kind === 'end') yield cursorLine(hub, part);
    else
      for (const full of part.listings)
        yield { line: 'agent', agent: presentListing(full, part.at) };
  }
}

function cursorLine(hub: Hub, { count, complete, place }: FeedEnd): FeedLine {
  return {
    line: 'cursor',
    count,
    complete,
    ...(isListing(place) && { afterSeenAt: place.changedAt, afterId: place.id }),
    next: nextAddress(hub, place),
  };
}

/** A pass that began at a moment has no listing behind it yet. */
function isListing(place: FeedPlace | undefined): place is FeedPlace {
  return place !== undefined && place.id !== '';
}

function nextAddress({ settings }: Hub, cursor: FeedPlace | undefined): string {
  const feed = `${settings.baseUrl}/api/v1/agents.ndjson`;
  if (cursor === undefined) return feed;
  const at = iso(cursor.changedAt);
  const query = new URLSearchParams(
    isListing(cursor) ? { afterSeenAt: at, afterId: cursor.id } : { since: at },
  );
  return `${feed}?${query.toString()}`;
}

/** Where the pass begins: behind a cursor, or at a moment; undefined is the beginning. */
function placeOf({ since, afterSeenAt, afterId }: Query): FeedPlace | undefined {
  if (afterSeenAt !== undefined && afterId !== undefined && since === undefined) {
    return { changedAt: afterSeenAt, id: afterId };
  }
  if (afterSeenAt !== undefined || afterId !== undefined) {
    return refuse('not-together', {
      error: 'afterSeenAt and afterId go together, and not with since.',
      hint: 'Send both as the last cursor line gave them, or since alone.',
      field: afterSeenAt === undefined ? 'query.afterSeenAt' : 'query.afterId',
    });
  }
  // Every id is above the empty one, so what changed at that moment is in.
  return since === undefined ? undefined : { changedAt: instant(since), id: '' };
}
