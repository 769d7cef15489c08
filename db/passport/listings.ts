import type { Account, KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type {
  ListingKind,
  ListingProof,
  ListingSummary,
  Refunds,
} from '../../domain/registry/listing.ts';
import type { ProofMethod } from '../../domain/passport/proof.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';
import { summaryOf } from '../registry/listingRow.ts';

/** Which passport holds which listing. A look never writes these columns. */
export interface HeldListing extends Omit<ListingSummary, 'access'> {
  readonly origin: string;
  readonly verification: ListingProof;
  readonly claimedAt: Instant;
}

/** As many as an answer shows. */
export const LISTINGS_MAX = 1_000;
const SHORT =
  'l.id, l.kind, l.name, l.origin, l.endpoint, l.availability, l.access, l.host, l.karma';
const HELD = `SELECT ${SHORT}, l.verification, l.claimed_at FROM listings l WHERE`;
const LATEST = `ORDER BY l.claimed_at, l.id LIMIT ${LISTINGS_MAX}`;
const OF_KEY = statement(`${HELD} l.passport_key_id = ? ${LATEST}`);
const OF_ACCOUNT = statement(
  `${HELD} l.passport_key_id IN (SELECT key_id FROM keys WHERE account = ?) ${LATEST}`,
);

/** The listings of a passport, in the order in which they were taken. */
export async function heldBy(db: Reader, keyId: KeyId): Promise<readonly HeldListing[]> {
  return (await linkOf(db).rows(OF_KEY, [keyId])).map(heldOf);
}

export async function heldByAccount(db: Reader, account: Account): Promise<readonly HeldListing[]> {
  return (await linkOf(db).rows(OF_ACCOUNT, [account])).map(heldOf);
}

export interface ClaimableListing extends Omit<ListingSummary, 'access' | 'availability'> {
  readonly origin: string;
  readonly domain: string;
  readonly karma: number;
  readonly firstSeenAt: Instant;
}

const CLAIMABLE = statement(`
  SELECT ${SHORT}, l.first_seen_at
  FROM passport_domains d JOIN listings l ON l.host = d.domain
  WHERE d.key_id = ? AND d.missing_since IS NULL AND l.passport_key_id IS NULL
  ORDER BY l.first_seen_at, l.id LIMIT ${LISTINGS_MAX}`);

/** Returns listings without a holder on domains whose proof is valid, the longest known first. */
export async function claimable(db: Reader, keyId: KeyId): Promise<readonly ClaimableListing[]> {
  return (await linkOf(db).rows(CLAIMABLE, [keyId])).map((row) => ({
    ...summaryOf(row),
    origin: column.text(row, 'origin'),
    domain: column.text(row, 'host'),
    karma: column.whole(row, 'karma'),
    firstSeenAt: column.time(row, 'first_seen_at'),
  }));
}

/** The facts of a listing that a claim needs. */
export interface Claimed {
  readonly id: string;
  readonly kind: ListingKind;
  readonly host: string;
  readonly origin: string;
  /** It has the code of its origin, not one of a further endpoint there. */
  readonly isMain: boolean;
  readonly holder?: { readonly keyId: string; readonly proof: ListingProof };
}

const ASKED = 'l.id, l.kind, l.host, l.origin, l.agent_group, l.passport_key_id, l.verification';
const LOCK = statement(
  `SELECT ${ASKED} FROM listings l WHERE l.id = ?`,
  `SELECT ${ASKED} FROM listings l WHERE l.id = ? FOR UPDATE`,
);

export async function lockListing(tx: Writer, id: string): Promise<Claimed | undefined> {
  const row = column.one(await linkOf(tx).rows(LOCK, [id]));
  return row && claimedOf(row);
}

const OPEN_FOR = `WHERE l.host = ? AND (l.passport_key_id IS NULL
  OR (l.passport_key_id = ? AND l.verification = 'endpoint')) ORDER BY l.id LIMIT ${LISTINGS_MAX}`;
const LOCK_OPEN = statement(
  `SELECT ${ASKED} FROM listings l ${OPEN_FOR}`,
  `SELECT ${ASKED} FROM listings l ${OPEN_FOR} FOR UPDATE`,
);

/** Listings of a domain without a holder, and those that the key holds by their own text. */
export async function lockOpenListings(
  tx: Writer,
  domain: string,
  keyId: KeyId,
): Promise<readonly Claimed[]> {
  return (await linkOf(tx).rows(LOCK_OPEN, [domain, keyId])).map(claimedOf);
}

const TAKE = statement(`
  UPDATE listings SET passport_key_id = ?, verification = ?, claimed_at = CASE
      WHEN passport_key_id = ? THEN coalesce(claimed_at, ?) ELSE ? END,
    refunds = CASE WHEN passport_key_id = ? THEN refunds ELSE 'output-schema' END,
    changed_at = CASE WHEN changed_at < ? THEN ? ELSE changed_at END
  WHERE id = ?`);

export interface Taking {
  readonly keyId: KeyId;
  readonly proof: ListingProof;
  readonly at: Instant;
}

/** Gives a locked listing to a passport; one that is its own already keeps its date. */
export async function takeListing(tx: Writer, id: string, by: Taking): Promise<void> {
  const { keyId, proof, at } = by;
  await linkOf(tx).rows(TAKE, [keyId, proof, keyId, at, at, keyId, at, at, id]);
}

const SET_REFUNDS = statement(`
  UPDATE listings SET refunds = ?, changed_at = CASE WHEN changed_at < ? THEN ? ELSE changed_at END
  WHERE id = ?`);

export async function setRefunds(
  tx: Writer,
  id: string,
  refunds: Refunds,
  at: Instant,
): Promise<void> {
  await linkOf(tx).rows(SET_REFUNDS, [refunds, at, at, id]);
}

const LET_GO = statement(`
  UPDATE listings SET passport_key_id = NULL, verification = NULL, claimed_at = NULL,
    refunds = 'output-schema',
    karma = coalesce((SELECT total FROM karma_totals t WHERE t.subject = 'listing:' || id), 0),
    changed_at = CASE WHEN changed_at < ? THEN ? ELSE changed_at END
  WHERE host = ? AND passport_key_id = ? AND verification IN ('dns', 'well-known')`);

/** Releases the listings that the holder had by the proof of a domain, which is gone. */
export async function letGoOf(
  tx: Writer,
  { domain, keyId }: { readonly domain: string; readonly keyId: KeyId },
  at: Instant,
): Promise<void> {
  await linkOf(tx).rows(LET_GO, [at, at, domain, keyId]);
}

const PROVED_BY = statement(`
  UPDATE listings SET verification = ?
  WHERE host = ? AND passport_key_id = ? AND verification IN ('dns', 'well-known')`);

/** Listings say by which method their domain stands now. */
export async function setProof(
  tx: Writer,
  { domain, keyId }: { readonly domain: string; readonly keyId: KeyId },
  method: ProofMethod,
): Promise<void> {
  await linkOf(tx).rows(PROVED_BY, [method, domain, keyId]);
}

function heldOf(row: Row): HeldListing {
  return {
    ...summaryOf(row),
    origin: column.text(row, 'origin'),
    verification: column.text(row, 'verification') as ListingProof,
    claimedAt: column.time(row, 'claimed_at'),
  };
}

function claimedOf(row: Row): Claimed {
  const keyId = column.textOrNull(row, 'passport_key_id');
  const proof = column.textOrNull(row, 'verification') as ListingProof | null;
  return {
    id: column.text(row, 'id'),
    kind: column.text(row, 'kind') as ListingKind,
    host: column.text(row, 'host'),
    origin: column.text(row, 'origin'),
    isMain: row['agent_group'] === row['origin'],
    ...(keyId !== null && proof !== null && { holder: { keyId, proof } }),
  };
}
