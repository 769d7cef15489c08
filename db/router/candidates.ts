import { keyAccount, type Account, type KeyId } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { HostedVia } from '../../domain/hosted/agent.ts';
import type { JsonObject } from '../../domain/jsonObject.ts';
import { isByDomain } from '../../domain/passport/proof.ts';
import type {
  AccessClass,
  Availability,
  ListingKind,
  Price,
  Refunds,
} from '../../domain/registry/listing.ts';
import { SOUND, type Breaker } from '../../domain/router/breaker.ts';
import type { Candidate } from '../../domain/router/candidate.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Statement } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { RESOLVED } from '../registry/listings.ts';

/** A row is a listing with one operation, to which the price belongs (choices router.money). */
const PICKED_MAX = 500;

const FACTS = `l.id, l.kind, l.name, l.endpoint, l.transport, l.protocol_version, l.tenant,
  l.refunds, l.access AS listing_access, l.availability, l.uptime_bps, l.latency_ms, l.karma,
  l.host, l.passport_key_id, l.verification, k.account AS holder,
  CASE WHEN l.injection_signals = '[]' THEN 0 ELSE 1 END AS flagged,
  s.skill_id, s.access AS skill_access,
  CASE WHEN l.passport_key_id IS NOT NULL AND l.refunds <> 'none'
    THEN s.output_schema END AS promised,
  s.price_amount, s.price_asset, s.price_network, s.price_pay_to,
  q.amount AS quoted_amount, q.asset AS quoted_asset, q.quoted_on, q.pay_to AS quoted_pay_to,
  q.at AS quoted_at, b.faults, b.rests_until,
  h.key_id AS hosted_key, h.via AS hosted_via, h.endpoint AS hosted_endpoint,
  h.transport AS hosted_transport, h.protocol_version AS hosted_version`;
const MEMORY = `LEFT JOIN keys k ON k.key_id = l.passport_key_id
  LEFT JOIN hosted_agents h ON h.listing_id = l.id
  LEFT JOIN call_breakers b ON b.endpoint = l.endpoint
  LEFT JOIN call_quotes q ON q.listing_id = l.id AND q.operation = ?`;

/** An operation is a name; a skill whose id is another text is found by that as well. */
const OFFERING = statement(`
  SELECT ${FACTS} FROM (
    SELECT l.id AS listing, min(o.place) AS place FROM (
      SELECT listing_id, place FROM listing_skills WHERE name = ?
      UNION ALL
      SELECT listing_id, place FROM listing_skills WHERE skill_id = ? AND skill_id <> name
    ) AS o JOIN listings l ON l.id = o.listing_id
    GROUP BY l.id, l.answers, l.karma, l.reach
    ORDER BY l.answers DESC, l.karma DESC, l.reach DESC, l.id LIMIT ${PICKED_MAX}
  ) AS p JOIN listings l ON l.id = p.listing
    JOIN listing_skills s ON s.listing_id = p.listing AND s.place = p.place ${MEMORY}`);

/** Listings that have an operation of exactly this name, not ranked. */
export async function offering(db: Reader, operation: string): Promise<readonly Candidate[]> {
  return candidatesOf(db, await linkOf(db).rows(OFFERING, [operation, operation, operation]));
}

const SPEAKING = statement(`
  SELECT ${FACTS} FROM (
    SELECT id AS listing FROM listings WHERE kind = 'a2a' AND answers = 1
    ORDER BY karma DESC, reach DESC, id LIMIT ${PICKED_MAX}
  ) AS p JOIN listings l ON l.id = p.listing
    LEFT JOIN listing_skills s ON s.listing_id = l.id AND s.place = -1 ${MEMORY}`);

/** Agents that speak A2A and answer: every one of them has its methods. */
export async function speaking(db: Reader, method: string): Promise<readonly Candidate[]> {
  return candidatesOf(db, await linkOf(db).rows(SPEAKING, [method]));
}

const oneOf = (listing: string) =>
  statement(`
  SELECT ${FACTS} FROM listings l
    LEFT JOIN listing_skills s ON s.listing_id = l.id AND s.place = (
      SELECT min(o.place) FROM listing_skills o
        WHERE o.listing_id = l.id AND (o.name = ? OR o.skill_id = ?)) ${MEMORY}
  WHERE l.id = (${listing})`);
const NAMED = oneOf(RESOLVED);
const AT_ENDPOINT = oneOf(`
  SELECT id FROM listings WHERE endpoint IN (?, ?)
  ORDER BY CASE WHEN endpoint = ? THEN 0 ELSE 1 END, answers DESC, karma DESC, reach DESC, id
  LIMIT 1`);

/** One listing by a name of it, whether the index knows the operation of it or not. */
export async function candidateNamed(
  db: Reader,
  name: string,
  operation: string,
): Promise<Candidate | undefined> {
  return theOne(db, NAMED, operation, [name, name, name]);
}

/** The same by its address: as it was given, else as it is dialled. */
export async function candidateAt(
  db: Reader,
  { given, dialled }: { readonly given: string; readonly dialled: string },
  operation: string,
): Promise<Candidate | undefined> {
  return theOne(db, AT_ENDPOINT, operation, [given, dialled, given]);
}

async function theOne(
  db: Reader,
  found: Statement,
  operation: string,
  by: readonly string[],
): Promise<Candidate | undefined> {
  const rows = await linkOf(db).rows(found, [operation, operation, operation, ...by]);
  return column.one(await candidatesOf(db, rows));
}

const HOLDERS = inListStatement(
  (given) => `SELECT domain, key_id FROM passport_domains WHERE domain ${given}`,
);
/** The key that proved a domain, by domain. */
type Holders = ReadonlyMap<string, string>;

async function candidatesOf(db: Reader, rows: readonly Row[]): Promise<readonly Candidate[]> {
  const elsewhere = new Set(
    rows
      .filter((row) => isByDomain(row['verification']) && calledHost(row) !== row['host'])
      .map(calledHost),
  );
  const holders = elsewhere.size === 0 ? [] : await linkOf(db).rows(HOLDERS, [[...elsewhere]]);
  const byDomain = new Map(
    holders.map((row) => [column.text(row, 'domain'), column.text(row, 'key_id')]),
  );
  return rows.map((row) => candidateOf(row, byDomain));
}

function candidateOf(row: Row, holders: Holders): Candidate {
  const [protocolVersion, tenant, skillId] = [
    column.textOrNull(row, 'protocol_version'),
    column.textOrNull(row, 'tenant'),
    column.textOrNull(row, 'skill_id'),
  ];
  const [listed, price] = [
    priceIn(row, 'price', 'price_network'),
    priceIn(row, 'quoted', 'quoted_on'),
  ];
  const holder = holderOf(row);
  return {
    listingId: column.text(row, 'id'),
    name: column.text(row, 'name'),
    kind: column.text(row, 'kind') as ListingKind,
    endpoint: column.text(row, 'endpoint'),
    transport: column.text(row, 'transport'),
    ...(protocolVersion !== null && { protocolVersion }),
    ...(tenant !== null && { tenant }),
    ...(skillId !== null && { skillId }),
    access: accessIn(row),
    availability: column.text(row, 'availability') as Availability,
    uptimeBps: column.whole(row, 'uptime_bps'),
    latencyMs: column.whole(row, 'latency_ms'),
    karma: column.whole(row, 'karma'),
    flagged: column.flag(row, 'flagged'),
    ...defined({ listed }),
    ...(price !== undefined && { quoted: { price, at: column.time(row, 'quoted_at') } }),
    ...(holder !== undefined && { holder, ...(isPaid(row, holders) && { owner: holder }) }),
    refunds: column.text(row, 'refunds') as Refunds,
    ...(row['promised'] !== null && { promised: column.json(row, 'promised') as JsonObject }),
    breaker: breakerIn(row),
    ...hostedIn(row),
  };
}

function hostedIn(row: Row): Pick<Candidate, 'hosted'> {
  const keyId = column.textOrNull(row, 'hosted_key');
  if (keyId === null) return {};
  const protocolVersion = column.textOrNull(row, 'hosted_version');
  const hosted = {
    keyId: keyId as KeyId,
    via: column.text(row, 'hosted_via') as HostedVia,
    endpoint: column.text(row, 'hosted_endpoint'),
    transport: column.text(row, 'hosted_transport'),
    ...(protocolVersion !== null && { protocolVersion }),
  };
  return { hosted };
}

/** A listing's class speaks for a tool that was never called only where it keeps callers out. */
function accessIn(row: Row): AccessClass {
  const listing = column.text(row, 'listing_access') as AccessClass;
  const skill = column.textOrNull(row, 'skill_access') as AccessClass | null;
  if (skill === null) return listing;
  const shut = listing === 'auth-required' || listing === 'closed';
  return skill === 'unknown' && shut ? listing : skill;
}

function priceIn(row: Row, prefix: string, network: string): Price | undefined {
  const amount = column.amountOrNull(row, `${prefix}_amount`);
  if (amount === null) return undefined;
  const [on, payTo] = [column.textOrNull(row, network), column.textOrNull(row, `${prefix}_pay_to`)];
  return {
    amount,
    asset: column.text(row, `${prefix}_asset`),
    ...(on !== null && { network: on }),
    ...(payTo !== null && { payTo }),
  };
}

/** The account that the passport's key acts for: the one in its own name until it is bound. */
function holderOf(row: Row): Account | undefined {
  const keyId = column.textOrNull(row, 'passport_key_id');
  if (keyId === null) return undefined;
  return row['holder'] === null ? keyAccount(keyId as KeyId) : column.account(row, 'holder');
}

/**
 * Router rule 8: the proved domain is that of the called address, or the listing is hosted. A text
 * at the endpoint proves neither. Otherwise a holder who names the address of a third party in its
 * own card would be paid for the work of that party.
 */
function isPaid(row: Row, holders: Holders): boolean {
  if (row['verification'] === 'hosted') return true;
  if (!isByDomain(row['verification'])) return false;
  const host = calledHost(row);
  return host === row['host'] || holders.get(host) === row['passport_key_id'];
}

function calledHost(row: Row): string {
  return new URL(column.text(row, 'endpoint')).host;
}

function breakerIn(row: Row): Breaker {
  const faults = column.wholeOrNull(row, 'faults');
  if (faults === null) return SOUND;
  const restsUntil = column.timeOrNull(row, 'rests_until');
  return { faults, ...(restsUntil !== null && { restsUntil }) };
}
