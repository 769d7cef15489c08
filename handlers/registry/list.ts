import { readListings } from '../../db/registry/listings.ts';
import {
  listingPage,
  leftBy,
  listingsServedAt,
  type ListingFilter,
} from '../../db/registry/page.ts';
import type { Reader } from '../../db/store.ts';
import { storedTexts } from '../../db/registry/texts.ts';
import { defined } from '../../domain/defined.ts';
import { originalsFirst, type Foldable } from '../../domain/registry/fold.ts';
import type { Instant } from '../../domain/instant.ts';
import { wordsLeftOut } from '../../domain/search/query.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Reply, Call } from '../../workflows/kernel/call.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { presentListing } from '../../workflows/registry/present/listing.ts';
import { PROVENANCE } from '../../workflows/registry/present/provenance.ts';
import { LISTING_FORM } from '../../workflows/kernel/listingTexts.ts';
import { textReply } from '../textReply.ts';
import { UNTRUSTED_LISTINGS } from '../untrusted.ts';
import { foldedOf, foldedPage } from '../folded.ts';
import { leftOutOf } from '../leftOut.ts';
import { widen } from '../widen.ts';
import { cutPage, envelopeOf, placeAt } from '../page.ts';
import { encode } from '../../workflows/kernel/encode.ts';

type AgentList = Schemas['AgentList'];

const TOOLS_SHOWN =
  'At most 20 tools of a listing are shown, without their schemas; skillsOmitted counts the rest, and the record by id has all.';
const YOU_CAN_ALSO: AgentList['youCanAlso'] = [
  {
    what: 'Read one listing in full, with all tools and their schemas.',
    call: { method: 'GET', path: '/api/v1/agents/<id>' },
  },
  {
    what: 'Search agents, tools, tasks and comments together.',
    call: { method: 'GET', path: '/api/v1/search?q=<words>' },
  },
  {
    what: 'Copy the whole index, one JSON object on each line.',
    call: { method: 'GET', path: '/api/v1/agents.ndjson' },
  },
  {
    what: 'Have an origin looked at.',
    call: { method: 'POST', path: '/api/v1/agents', body: { url: '<https address>' } },
  },
];

/** Answers that are kept, of about 50 kB. */
const KEPT_MAX = 250;

/** One page of the index: by karma, then by reachability; with `q` those that fit. */
export const list: Handler<'registry.list'> = (call, hub) =>
  hub.responses.answer<'registry.list'>(call, { most: KEPT_MAX }, () => listed(call, hub));

async function listed(
  { query, caller }: Pick<Call<'registry.list'>, 'query' | 'caller'>,
  hub: Hub,
): Promise<Reply<'registry.list'>> {
  const { q, skill, kind, transport, verified, includeUnavailable, limit, cursor: place } = query;
  const offset = place === undefined ? query.offset : placeAt(place);
  const { maxPrice, network, minUptimePercent, tag, fold } = query;
  const access = query.access === 'free' ? 'open' : query.access;
  const named = {
    ...defined({ skill, kind, transport, access, network, minUptimePercent, tag }),
    includeUnavailable,
    verifiedOnly: verified,
  };
  const filter = { ...named, ...defined({ maxPrice }) };
  const now = hub.clock.now();
  const wish = { filter, fold, limit, offset };
  const ranked =
    q === undefined ? undefined : await fitting(hub, { text: q, address: caller.ip }, wish);
  const { found, texts } = await hub.store.read(async (db) => {
    const found = ranked ?? (await plainList(db, wish));
    const ids = foldedPage(found, limit, fold).shown.map(({ id }) => id);
    return { found, texts: await textsOf(db, ids, now) };
  });
  const { shown, more } = cutPage(texts, limit, (text) => text, Buffer.byteLength);
  const { folded, used } = foldedPage(found, more ? shown.length : limit, fold);
  const nextOffset = offset + used;
  const page = { rows: shown, more: more || found.length > used };
  const { count, hasMore, nextCursor, next } = envelopeOf(page, limit, () => `${nextOffset}`);
  const asked = {
    ...defined({ q }),
    ...named,
    ...(maxPrice !== undefined && { maxPrice: `${maxPrice}` }),
    fold,
    limit,
    offset,
  };
  const left = leftOutOf(q === undefined ? undefined : wordsLeftOut(q));
  const after = {
    ...left,
    hasMore,
    ...defined({ nextCursor, next }),
    ...(hasMore && { nextOffset }),
    ...foldedOf(folded, '/api/v1/agents', { ...query, q }),
    ...ABOUT,
  };
  const [head, tail] = [JSON.stringify({ query: asked, count }), JSON.stringify(after)];
  return textReply<AgentList>(
    `${head.slice(0, -1)},"agents":[${shown.join(',')}],${tail.slice(1)}`,
  );
}

interface Wish {
  readonly filter: ListingFilter;
  readonly fold: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** How many more are read while folded ones leave the page short. */
const WINDOW = { more: 8, most: 1_000 };

/** Enough of the list for a page, one more than it takes where the list goes on. */
async function plainList(
  db: Reader,
  { filter, fold, limit, offset }: Wish,
): Promise<readonly Foldable[]> {
  for (let count = limit + 1; ; count *= WINDOW.more) {
    const found = await listingPage(db, filter, { limit: count, offset });
    const { used, shown } = foldedPage(found, limit, fold);
    const isFull = shown.length === limit && found.length > used;
    if (isFull || found.length < count || count >= WINDOW.most) return found;
  }
}

/** Returns listings as lists show them: stored texts, and the rest made from the rows. */
async function textsOf(
  db: Reader,
  ids: readonly string[],
  now: Instant,
): Promise<readonly string[]> {
  const stored = await storedTexts(db, 'short', ids, { form: LISTING_FORM, now });
  const missing = await readListings(
    db,
    ids.filter((id) => !stored.has(id)),
  );
  const made = new Map(
    missing.map((full) => [
      full.listing.id,
      JSON.stringify(encode('AgentListing', presentListing(full, now))),
    ]),
  );
  return ids.flatMap((id) => stored.get(id)?.text ?? made.get(id) ?? []);
}

const PROVENANCE_LISTS: AgentList['provenance'] = {
  assigned: [...PROVENANCE.assigned],
  claimed: [...PROVENANCE.claimed],
  observed: [...PROVENANCE.observed],
  attributed: [...PROVENANCE.attributed],
};
const ABOUT = {
  toolsShown: TOOLS_SHOWN,
  provenance: PROVENANCE_LISTS,
  ...UNTRUSTED_LISTINGS,
  youCanAlso: YOU_CAN_ALSO,
} satisfies Partial<AgentList>;

/** `host:port` in small letters, of an address as well; undefined when the text is none. */
function hostIn(text: string): string | undefined {
  const given = text.trim().toLowerCase();
  const host =
    /^(?:https?:\/\/)?([a-z0-9.-]+(?::[0-9]{1,5})?|\[[0-9a-f:]+\](?::[0-9]{1,5})?)(?:\/|$)/;
  const found = host.exec(given)?.[1];
  return found !== undefined && /[.:]/.test(found) ? found : undefined;
}

const LOOKED_AT = { first: 200, most: 12_800 };

/** Those that fit and that the filter leaves, behind the offset and enough for the page. */
async function fitting(
  { search, byMeaning, store }: Hub,
  { text, address }: { readonly text: string; readonly address: string },
  { filter, fold, limit, offset }: Wish,
): Promise<readonly Foldable[]> {
  // An address is no word: what is served at a host and port is found by both, whole.
  const whole = await store.readOne((db) => listingsServedAt(db, hostIn(text)));
  const near = await byMeaning.near(text, address);
  return widen({ ...LOOKED_AT, limit: limit + 1 }, async (count) => {
    const answeringOnly = !filter.includeUnavailable;
    const request = {
      text,
      kinds: ['agent'],
      order: 'karma',
      answeringOnly,
      whole,
      near,
      count,
    } as const;
    const found = (await search.find(request)).map(({ ref }) => ref);
    const left = await store.read((db) => leftBy(db, found, filter));
    const ranked = found.flatMap((id) => left.get(id) ?? []);
    const rest = (fold ? originalsFirst(ranked) : ranked).slice(offset);
    const { shown, used } = foldedPage(rest, limit, fold);
    const isFull = shown.length === limit && rest.length > used;
    return { page: rest, length: isFull ? limit + 1 : 0, found: found.length };
  });
}
