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
import type { Instant } from '../../domain/instant.ts';
import { wordsLeftOut } from '../../domain/search/query.ts';
import type { Schemas } from '../../server/hub/answered.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Reply, Call } from '../../server/hub/call.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { presentListing } from '../../workflows/registry/present/listing.ts';
import { PROVENANCE } from '../../workflows/registry/present/provenance.ts';
import { LISTING_FORM } from '../../server/hub/listingTexts.ts';
import { textReply } from '../textReply.ts';
import { UNTRUSTED_LISTINGS } from '../untrusted.ts';
import { leftOutOf } from '../leftOut.ts';
import { widen } from '../widen.ts';
import { cutPage, envelopeOf, placeAt } from '../page.ts';
import { encode } from '../../server/hub/encode.ts';

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
  { query }: Pick<Call<'registry.list'>, 'query'>,
  hub: Hub,
): Promise<Reply<'registry.list'>> {
  const { q, skill, kind, transport, verified, includeUnavailable, limit, cursor: place } = query;
  const offset = place === undefined ? query.offset : placeAt(place);
  const { maxPrice, network, minUptimePercent, tag } = query;
  const access = query.access === 'free' ? 'open' : query.access;
  const named = {
    ...defined({ skill, kind, transport, access, network, minUptimePercent, tag }),
    includeUnavailable,
    verifiedOnly: verified,
  };
  const filter = { ...named, ...defined({ maxPrice }) };
  const now = hub.clock.now();
  const span = { limit: limit + 1, offset };
  const fits = q === undefined ? undefined : await fitting(hub, q, filter, span);
  const { page, behind } = await hub.store.read(async (db) => {
    const ids = fits ?? (await listingPage(db, filter, span));
    return { page: await textsOf(db, ids.slice(0, limit), now), behind: ids.length > limit };
  });
  const { rows, shown, more } = cutPage(page, limit, (text) => text, Buffer.byteLength);
  const nextOffset = offset + (more ? shown.length : limit);
  const cut = { rows, more: more || behind };
  const { count, hasMore, nextCursor, next } = envelopeOf(cut, limit, () => `${nextOffset}`);
  const asked = {
    ...defined({ q }),
    ...named,
    ...(maxPrice !== undefined && { maxPrice: `${maxPrice}` }),
    limit,
    offset,
  };
  const left = leftOutOf(q === undefined ? undefined : wordsLeftOut(q));
  const after = {
    ...left,
    hasMore,
    ...defined({ nextCursor, next }),
    ...(hasMore && { nextOffset }),
    ...ABOUT,
  };
  const [head, tail] = [JSON.stringify({ query: asked, count }), JSON.stringify(after)];
  return textReply<AgentList>(
    `${head.slice(0, -1)},"agents":[${shown.join(',')}],${tail.slice(1)}`,
  );
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

/** The page of those that fit and that the filter leaves. */
async function fitting(
  { search, store }: Hub,
  text: string,
  filter: ListingFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly string[]> {
  // An address is no word: what is served at a host and port is found by both, whole.
  const whole = await store.readOne((db) => listingsServedAt(db, hostIn(text)));
  return widen({ ...LOOKED_AT, limit }, async (count) => {
    const answeringOnly = !filter.includeUnavailable;
    const request = {
      text,
      kinds: ['agent'],
      order: 'karma',
      answeringOnly,
      whole,
      count,
    } as const;
    const found = (await search.find(request)).map(({ ref }) => ref);
    const left = await store.read((db) => leftBy(db, found, filter));
    const page = found.filter((id) => left.has(id)).slice(offset, offset + limit);
    return { page, found: found.length };
  });
}
