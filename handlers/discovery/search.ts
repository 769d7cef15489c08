import type {
  Hydrated,
  HydratedListing,
  HydratedSkill,
  HydratedTask,
} from '../../db/search/hydrate.ts';
import { leftBy, type ListingFilter } from '../../db/registry/page.ts';
import { authorsOf, isWork, workInState } from '../../db/search/state.ts';
import type { Store } from '../../db/store.ts';
import { defined } from '../../domain/defined.ts';
import { shorten } from '../../domain/text.ts';
import { display } from '../../domain/money.ts';
import { originalsFirst, type Foldable } from '../../domain/registry/fold.ts';
import { isPackageId } from '../../domain/registry/serverPackage.ts';
import type { Found } from '../../domain/search/found.ts';
import type { Near } from '../../domain/search/near.ts';
import { KINDS, type Kind } from '../../domain/search/plan.ts';
import { wordsLeftOut } from '../../domain/search/query.ts';
import { snippetsFor } from '../../domain/search/snippet.ts';
import type { TaskState } from '../../domain/tasks/model.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Reply, Call } from '../../workflows/kernel/call.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { ASSET } from '../../domain/network.ts';
import { presentPrice } from '../../workflows/registry/present/listing.ts';
import { UNTRUSTED_LISTINGS } from '../untrusted.ts';
import { presentPackage } from './present/package.ts';
import { envelopeOf, placeAt } from '../page.ts';
import { foldedOf, foldedPage } from '../folded.ts';
import { leftOutOf } from '../leftOut.ts';
import { widen } from '../widen.ts';

type SearchHit = Schemas['SearchHit'];

const TITLE_MAX = 400;
const SKILL_NAME_MAX = 300;
/** Answers that are kept, of about 5 kB. */
const KEPT_MAX = 2_500;

/** Everything that is searched in one list, by how well it fits; equals by standing. */
export const search: Handler<'discovery.search'> = (call, hub) =>
  hub.responses.answer<'discovery.search'>(call, { most: KEPT_MAX }, () => searched(call, hub));

async function searched(
  { query, caller }: Pick<Call<'discovery.search'>, 'query' | 'caller'>,
  hub: Hub,
): Promise<Reply<'discovery.search'>> {
  const { q, kind, state, maxPrice, network, minUptimePercent, tag, cursor: after } = query;
  const { limit, fold } = query;
  const offset = after === undefined ? 0 : placeAt(after);
  const worth = {
    ...defined({ network, minUptimePercent, tag }),
  };
  const wanted = { ...worth, ...defined({ maxPrice }) };
  const filter = Object.keys(wanted).length === 0 ? undefined : { ...ANY_LISTING, ...wanted };
  // Agents have no state, so a state asks for work alone; work has no uptime.
  const kinds = KINDS.filter((each) => {
    const ofWork = isWork({ kind: each });
    const isAsked = kind === undefined || each === (kind === 'package' ? 'agent' : kind);
    return isAsked && (state === undefined || ofWork) && (filter === undefined || !ofWork);
  });
  const packages = kind === 'package' ? 'only' : kind === undefined ? 'too' : 'not';
  const ofListings = kinds.some((each) => each === 'agent' || each === 'skill');
  const near = ofListings ? await hub.byMeaning.near(q, caller.ip) : [];
  const asked = { text: q, kinds, state, filter, packages, near } as const;
  const { hits, folded, used, more } = await pageOf(hub, asked, { fold, limit, offset });
  const snippetOf = snippetsFor(q);
  return {
    status: 200,
    body: {
      query: {
        q,
        kind,
        state,
        ...worth,
        maxPrice,
      },
      ...envelopeOf({ rows: hits, more }, limit, () => `${offset + used}`),
      ...foldedOf(folded, '/api/v1/search', query),
      ...leftOutOf(wordsLeftOut(q)),
      results: hits.map((hit) => presentHit(hit, snippetOf)),
      ...UNTRUSTED_LISTINGS,
    },
  };
}

/** How many more are read while folded ones leave the page short. */
const WINDOW = { more: 4, most: 336 };

/** The hits of a page: few of one operator, and an original before its copies. */
async function pageOf(
  hub: Hub,
  asked: Omit<Search, 'span'>,
  { fold, limit, offset }: { fold: boolean; limit: number; offset: number },
) {
  for (let count = limit + 1; ; count *= WINDOW.more) {
    const span = { limit: count, offset };
    const found = asked.kinds.length === 0 ? [] : await foundFor(hub, { ...asked, span });
    const last = found.length < count || count >= WINDOW.most;
    // The one behind the page says only that the list goes on.
    const read = fold || found.length < count ? found : found.slice(0, limit);
    const shown = await hub.search.show(read);
    const hits = read.flatMap((each): readonly (Hit & Foldable)[] => {
      const of = shown.get(each);
      return of === undefined ? [] : [{ ...foldableOf(each, of), ...each, shown: of }];
    });
    const page = foldedPage(fold ? originalsFirst(hits) : hits, limit, fold);
    const more = hits.length > page.used || found.length > read.length;
    if (!fold || last || (page.shown.length === limit && more)) {
      return { hits: page.shown, folded: page.folded, used: page.used, more };
    }
  }
}

/** Work stands for itself: what one account wrote is bounded before. */
function foldableOf({ ref }: Found, shown: Hydrated): Foldable {
  switch (shown.kind) {
    case 'agent':
    case 'package':
      return shown.of.foldable;
    case 'skill':
      return shown.listing.foldable;
    case 'task':
    case 'comment':
      return { id: ref, operatorId: ref };
  }
}

interface Hit {
  readonly ref: string;
  readonly score: number;
  readonly shown: Hydrated;
}

interface Search {
  readonly text: string;
  readonly kinds: readonly Kind[];
  readonly state: TaskState | undefined;
  readonly filter: ListingFilter | undefined;
  readonly packages: 'only' | 'too' | 'not';
  readonly near: readonly Near[];
  readonly span: { readonly limit: number; readonly offset: number };
}

const ANY_LISTING = { verifiedOnly: false, includeUnavailable: true } as const;

/** A listing with its tools, and what one account wrote, fill no page: of each so many are shown. */
const OF_ONE_MAX = 3;
const LOOKED_AT = { first: 64, most: 4_096 };

/** The first of what fits, a few of each listing and author; work in the asked state alone. */
async function foundFor(
  { search, store }: Hub,
  { text, kinds, state, filter, packages, near, span: { limit, offset } }: Search,
): Promise<readonly Found[]> {
  return widen({ ...LOOKED_AT, limit }, async (count) => {
    const all = await search.find({ text, kinds, near, order: 'score', count });
    const wanted = packages === 'too' ? all : all.filter(isWanted(packages));
    const left = await leftOf(store, wanted, { state, filter });
    const page = fewOfEach(left, await authorsIn(store, left));
    return { page: page.slice(offset, offset + limit), found: all.length };
  });
}

function isWanted(packages: 'only' | 'not'): (found: Found) => boolean {
  return ({ ref }) => isPackageId(ref) === (packages === 'only');
}

function leftOf(
  store: Store,
  all: readonly Found[],
  { state, filter }: Pick<Search, 'state' | 'filter'>,
): Promise<readonly Found[]> | readonly Found[] {
  if (state !== undefined) return store.readOne((db) => workInState(db, all, state));
  if (filter === undefined) return all;
  return store.read(async (db) => {
    const ids = await leftBy(db, [...new Set(all.map(({ ref }) => ref))], filter);
    return all.filter(({ ref }) => ids.has(ref));
  });
}

/** The authors of work; asked only where there is more than one author may have on a page. */
function authorsIn(
  store: Store,
  found: readonly Found[],
): Promise<ReadonlyMap<string, string>> | ReadonlyMap<string, string> {
  if (found.filter(isWork).length <= OF_ONE_MAX) return new Map();
  return store.readOne((db) => authorsOf(db, found));
}

function fewOfEach(
  found: readonly Found[],
  authors: ReadonlyMap<string, string>,
): readonly Found[] {
  const counts = new Map<string, number>();
  return found.filter(({ ref }) => {
    const group = authors.get(ref) ?? ref;
    const count = (counts.get(group) ?? 0) + 1;
    counts.set(group, count);
    return count <= OF_ONE_MAX;
  });
}

function presentHit({ ref, score, shown }: Hit, snippetOf: (text: string) => string): SearchHit {
  switch (shown.kind) {
    case 'agent':
      return presentListing(ref, score, { shown: shown.of, listing: shown.of, snippetOf });
    case 'package':
      return presentPackage(shown.of, score, snippetOf);
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
    // The snippet of a tool without a description is its server's name.
    snippet: snippetOf(text === '' ? listing.name : text),
    score,
    call: { method: 'GET', path: `/api/v1/agents/${ref}` },
    agentId: ref,
    protocol: listing.protocol,
    endpoint: listing.endpoint,
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
    hit.reward = { amount, display: display(amount), asset: ASSET, network };
  }
  return hit;
}
