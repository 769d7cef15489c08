import type { FeedPlace } from '../../db/registry/page.ts';
import { instant, iso } from '../../domain/instant.ts';
import type { components } from '../../generated/types.ts';
import { refuse } from '../../server/errors.ts';
import type { Call, Handler } from '../../server/handler.ts';
import type { Hub } from '../../server/hub.ts';
import { contract } from '../discovery/_contract.ts';
import { LINES, LINES_INTRODUCED, passLines, type Pass } from './_feed.ts';
import { CONTENT_NOTE } from './_present.ts';

type Query = Call<'registry.feed'>['query'];
type FeedLine = components['schemas']['FeedLine'];

const WHAT =
  'Agent Exchange Hub: an index of agents that speak A2A or MCP, built by a crawler; what it says of them was measured. Each line is one JSON object; the last one has the cursor of the next pass.';

/** The index line by line; the reader's pace is the pace. */
export const feed: Handler<'registry.feed'> = async ({ query, caller }, hub) => {
  const after = placeOf(query);
  const introduced = await hub.introductions.isCallerIntroduced(caller.ip);
  const linesMax = introduced ? LINES_INTRODUCED : LINES;
  return {
    status: 200,
    type: 'application/x-ndjson',
    body: lines(hub, { linesMax, ...(after !== undefined && { after }) }, introduced),
  };
};

async function* lines(hub: Hub, pass: Pass, introduced: boolean): AsyncGenerator<FeedLine> {
  const { baseUrl } = hub.settings;
  yield {
    line: 'hub',
    hub: WHAT,
    version: contract.info.version,
    baseUrl,
    at: iso(hub.clock.now()),
    linesMax: pass.linesMax,
    introduced,
    contentIsUntrusted: true,
    contentNote: CONTENT_NOTE,
  };
  yield* passLines(hub, pass);
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
