import { askedAt, askedOf, listedServers } from '../../db/registry/addresses.ts';
import { proposalsOf } from '../../db/registry/crawlProposals.ts';
import { listingRows } from '../../db/registry/listings.ts';
import { hostListings, listingAtEndpoint } from '../../db/registry/origins.ts';
import { quotesOf } from '../../db/registry/quotes.ts';
import { readTarget } from '../../db/registry/targets.ts';
import type { Reader } from '../../db/store.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { diagnose, type NextTurn } from '../../domain/registry/diagnosis.ts';
import type { Listing } from '../../domain/registry/listing.ts';
import { isBare, type CrawlStep, type Target } from '../../domain/registry/target.ts';
import {
  dueTurns,
  requestsOf,
  serversALook,
  turnAt,
  turnsOf,
  type AskedAddress,
} from '../../domain/registry/turns.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { addressOf, type Address } from '../../workflows/registry/address.ts';
import { UNTRUSTED_LISTINGS } from '../untrusted.ts';
import {
  nextMoment,
  presentKnownFrom,
  presentProbe,
  presentSummary,
} from './present/submission.ts';
import { defined } from '../../domain/defined.ts';

type Diagnosis = Schemas['Diagnosis'];

const OTHERS_MAX = 20;

/** Why an address is found or not, from what is stored; nothing is called. */
export const diagnosis: Handler<'registry.diagnosis'> = async ({ query }, hub) => {
  const address = addressOf(hub, withScheme(query.url), 'query.url');
  const { url, origin } = address;
  const now = hub.clock.now();
  const facts = await hub.store.read((db) => factsOf(db, address, now));
  const { target, asked, listing, quoted, turn, proposals } = facts;
  const { verdict, checks } = diagnose({ ...facts, url, isSeller: quoted });
  const submit = { method: 'POST', path: '/api/v1/agents', body: { url } } as const;
  const look = {
    method: 'GET',
    path: `/api/v1/verify?url=${encodeURIComponent(url)}&fresh=1`,
  } as const;
  const prove = {
    method: 'POST',
    path: '/api/v1/passport/verify',
    body: { origin, keyId: '<your keyId>' },
  } as const;
  const { baseUrl } = hub.settings;
  const lastLookAt = asked?.askedAt ?? (isBare(url) ? target?.lastLookAt : undefined);
  return {
    status: 200,
    body: {
      url,
      origin,
      verdict,
      checks,
      lists: listsOf(listing, quoted, url),
      feeds: proposals.map(presentKnownFrom),
      submissions: target?.submissions ?? 0,
      ...(listing !== undefined && {
        listing: presentSummary(listing),
        badge: `${baseUrl}/badge/${listing.id}.svg`,
      }),
      probes: stepsOf(target, asked).map(presentProbe),
      ...defined({ lastLookAt }),
      ...(turn !== undefined && { nextLookAt: turn.at, ahead: turn.ahead }),
      ...UNTRUSTED_LISTINGS,
      next: [
        { action: 'registry.submit', who: 'anyone', call: submit },
        ...(verdict === 'unknown'
          ? []
          : [
              { action: 'discovery.verify', who: 'anyone', call: look },
              { action: 'passport.verify', who: 'who proved the domain', call: prove },
            ]),
      ],
    },
  };
};

/** A host alone means https. */
function withScheme(text: string): string {
  const given = text.trim();
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`;
}

async function factsOf(db: Reader, { url, origin, host }: Address, now: Instant) {
  const target = await readTarget(db, origin);
  const urls = [url, slashed(url)];
  const found = await askedAt(db, urls);
  const asked = urls.flatMap((each) => found.find((one) => one.url === each) ?? [])[0];
  const proposals = await proposalsOf(db, origin, urls);
  const feeds = proposals.filter((each) => urls.includes(each.url));
  const { listings } = await hostListings(db, host, OTHERS_MAX);
  const best = isBare(url) ? listings[0]?.id : undefined;
  let code: string | undefined;
  let quoted = false;
  for (const each of urls) {
    code ??= await listingAtEndpoint(db, each);
    quoted ||= (await quotesOf(db, each)).length > 0;
  }
  code ??= asked?.listingId ?? best;
  const [listing] = await listingRows(db, code === undefined ? [] : [code]);
  const others = listings.filter(({ id }) => id !== code).map(({ endpoint }) => endpoint);
  const hint = target?.hints.find((each) => urls.includes(each.url));
  const submittedAt = hint?.submittedAt ?? (isBare(url) ? target?.submittedAt : undefined);
  const turn = target === undefined ? undefined : await turnOf(db, target, urls, asked, now);
  const ofOrigin = proposals.length;
  return { target, asked, feeds, proposals, ofOrigin, submittedAt, listing, others, quoted, turn };
}

/** The same address with or without a slash at its end. */
function slashed(url: string): string {
  const given = new URL(url);
  const { pathname } = given;
  given.pathname = pathname.endsWith('/') ? pathname.slice(0, -1) : `${pathname}/`;
  return given.toString();
}

/** The moment when a look asks the address, by those of its origin that are asked before it. */
async function turnOf(
  db: Reader,
  target: Target,
  urls: readonly string[],
  asked: AskedAddress | undefined,
  now: Instant,
): Promise<NextTurn> {
  const { origin, hints, claimedUntil } = target;
  const rows = await askedOf(db, origin);
  const listed = await listedServers(db, origin);
  const look = nextMoment(target, now);
  const isLooking = claimedUntil !== undefined && claimedUntil > now;
  const perLook = serversALook(requestsOf(rows.filter(({ answered }) => answered).length));
  const turns = turnsOf({ named: hints.filter((hint) => !isBare(hint.url)), listed, asked: rows });
  const own = turns.find(({ url }) => urls.includes(url));
  const due = instant(Math.max(look, own?.dueAt ?? asked?.dueAt ?? 0));
  const ahead = dueTurns(turns, due).findIndex(({ url }) => urls.includes(url));
  const place = Math.max(0, ahead);
  return { at: turnAt(due, place, perLook), ahead: place, perLook, isLooking };
}

/** Steps of the address; of the whole origin when none of its addresses was asked. */
function stepsOf(
  target: Target | undefined,
  asked: AskedAddress | undefined,
): readonly CrawlStep[] {
  const all = target?.report?.probes ?? [];
  return asked === undefined
    ? all
    : [...all.filter(({ step }) => step === 'robots'), ...asked.steps];
}

function listsOf(listing: Listing | undefined, quoted: boolean, url: string): Diagnosis['lists'] {
  return [
    ...(listing === undefined
      ? []
      : [{ list: listing.kind, path: `/api/v1/agents/${listing.id}` }]),
    ...(quoted
      ? [{ list: 'x402' as const, path: `/api/v1/x402?q=${encodeURIComponent(new URL(url).host)}` }]
      : []),
  ];
}
