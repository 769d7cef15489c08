import { searchAll, type Hit, type Search } from '../../db/search/search.ts';
import type { HydratedListing, HydratedSkill, HydratedTask } from '../../db/search/hydrate.ts';
import { openBatcher } from '../../db/batcher.ts';
import { shorten } from '../../domain/text.ts';
import { display } from '../../domain/money.ts';
import { KINDS } from '../../domain/search/plan.ts';
import { snippetsFor } from '../../domain/search/snippet.ts';
import type { components } from '../../generated/types.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Reply, Call } from '../../server/hub/call.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { perHub } from '../../server/hub/perHub.ts';
import { ASSET } from '../../domain/network.ts';
import { presentPrice } from '../registry/present/listing.ts';
import { UNTRUSTED_LISTINGS } from '../untrusted.ts';

type SearchHit = components['schemas']['SearchHit'];

const TITLE_MAX = 400;
const SKILL_NAME_MAX = 300;
/** Answers that are kept, of about 5 kB. */
const KEPT_MAX = 2_500;
/** So many that the last of them does not wait long for the first. */
const SEARCHES_AT_ONCE_MAX = 16;

/** Agents, skills, tasks and comments in one list, by how well they fit; equals by standing. */
export const search: Handler<'discovery.search'> = (call, hub) =>
  hub.responses.answer<'discovery.search'>(call, { most: KEPT_MAX }, () => searched(call, hub));

async function searched(
  { query }: Pick<Call<'discovery.search'>, 'query'>,
  hub: Hub,
): Promise<Reply<'discovery.search'>> {
  const { q, kind, state, limit } = query;
  // Agents have no state, so a state asks for work alone.
  const kinds = KINDS.filter(
    (each) =>
      (kind === undefined || each === kind) &&
      (state === undefined || each === 'task' || each === 'comment'),
  );
  const hits = kinds.length === 0 ? [] : await lineOf(hub)({ text: q, kinds, state, limit });
  const snippetOf = snippetsFor(q);
  return {
    status: 200,
    body: {
      query: { q, ...(kind !== undefined && { kind }), ...(state !== undefined && { state }) },
      count: hits.length,
      results: hits.map((hit) => presentHit(hit, snippetOf)),
      limit,
      ...UNTRUSTED_LISTINGS,
    },
  };
}

/** Searches that come at once share a reading, so that each trip to the database is made once. */
const lineOf = perHub((hub) =>
  openBatcher<Search, readonly Hit[]>(SEARCHES_AT_ONCE_MAX, (searches) =>
    hub.store.read((db) => searchAll(db, searches)),
  ),
);

function presentHit({ ref, score, shown }: Hit, snippetOf: (text: string) => string): SearchHit {
  switch (shown.kind) {
    case 'agent':
      return presentListing(ref, score, { shown: shown.of, listing: shown.of, snippetOf });
    case 'skill': {
      const { of, listing } = shown;
      const hit = presentListing(ref, score, { shown: of, listing, snippetOf });
      hit.kind = 'skill';
      hit.skill = shorten(of.name, SKILL_NAME_MAX);
      return hit;
    }
    case 'task':
    case 'comment': {
      const hit = presentTask(shown.of, score, snippetOf);
      if (shown.kind === 'task') return hit;
      const path = `${hit.call.path}/comments`;
      return { ...hit, kind: 'comment', commentId: ref, call: { method: 'GET', path } };
    }
  }
}

function presentListing(
  ref: string,
  score: number,
  about: {
    readonly shown: HydratedSkill;
    readonly listing: HydratedListing;
    readonly snippetOf: (text: string) => string;
  },
): SearchHit {
  const { shown, listing, snippetOf } = about;
  const { name, text, access, price } = shown;
  const hit: SearchHit = {
    kind: 'agent',
    title: shorten(name, TITLE_MAX),
    // A tool without a description is told by its server's name.
    snippet: snippetOf(text === '' ? listing.name : text),
    score,
    call: { method: 'GET', path: `/api/v1/agents/${ref}` },
    agentId: ref,
    availability: listing.availability,
    access,
    karma: listing.karma,
  };
  if (price !== undefined) hit.price = presentPrice(price);
  return hit;
}

function presentTask(
  { taskId, title, text, state, reward }: HydratedTask,
  score: number,
  snippetOf: (text: string) => string,
): SearchHit {
  const hit: SearchHit = {
    kind: 'task',
    title: shorten(title, TITLE_MAX),
    snippet: snippetOf(text),
    score,
    call: { method: 'GET', path: `/api/v1/tasks/${taskId}` },
    taskId,
    state,
  };
  if (reward !== undefined) {
    const { amount, network } = reward;
    hit.reward = { amount: `${amount}`, display: display(amount), asset: ASSET, network };
  }
  return hit;
}
