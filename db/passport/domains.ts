import type { KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { ProvedDomain } from '../../domain/passport/domain.ts';
import { PROOF_METHODS } from '../../domain/passport/proof.ts';
import * as column from '../batch/columns.ts';
import { one } from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

/** Who holds which domain, and which domains are to be checked again. */
export const PASSPORT_DOMAINS = table(
  'passport_domains',
  {
    domain: column.text().key(),
    keyId: column.keyId(),
    origin: column.text(),
    method: column.oneOf(PROOF_METHODS),
    provedAt: column.moment(),
    lastConfirmedAt: column.moment(),
    nextCheckAt: column.moment(),
    missingSince: column.moment().optional(),
  },
  {
    use: 'single',
    personal: {
      owner: 'key_id',
      through: 'keys',
      stays: 'It is the public proof of who holds the domain. Remove the proof there to end it.',
    },
  },
);
/** The first domain that was proved among those of an operator. */
export const DOMAIN_FIRSTS = table(
  'domain_firsts',
  { operatorId: column.text().key(), domain: column.text(), at: column.moment() },
  { use: 'single', personal: { apart: 'about no account' } },
);

const OF_KEY = 'SELECT * FROM passport_domains WHERE key_id = ? ORDER BY proved_at, domain';
const OF_KEY_READ = statement(`${OF_KEY} LIMIT 1000`);

/** The domains of a passport, the longest held first. */
export async function domainsOf(db: Reader, keyId: KeyId): Promise<readonly ProvedDomain[]> {
  return (await linkOf(db).rows(OF_KEY_READ, [keyId])).map(PASSPORT_DOMAINS.fromRow);
}

const HOLDER = statement('SELECT * FROM passport_domains WHERE domain = ?');

export async function domainHolder(db: Reader, domain: string): Promise<KeyId | undefined> {
  const row = one(await linkOf(db).rows(HOLDER, [domain]));
  return row && PASSPORT_DOMAINS.fromRow(row).keyId;
}

const LOCK = statement(
  'SELECT * FROM passport_domains WHERE domain = ?',
  'SELECT * FROM passport_domains WHERE domain = ? FOR UPDATE',
);

export async function lockDomain(tx: Writer, domain: string): Promise<ProvedDomain | undefined> {
  const row = one(await linkOf(tx).rows(LOCK, [domain]));
  return row && PASSPORT_DOMAINS.fromRow(row);
}

/** Locks a domain, and answers the key whose proof of it stands. */
export async function lockHolder(tx: Writer, domain: string): Promise<KeyId | undefined> {
  const held = await lockDomain(tx, domain);
  return held?.missingSince === undefined ? held?.keyId : undefined;
}

const LOCK_ALL = statement(OF_KEY, `${OF_KEY} FOR UPDATE`);

export async function lockDomains(tx: Writer, keyId: KeyId): Promise<readonly ProvedDomain[]> {
  return (await linkOf(tx).rows(LOCK_ALL, [keyId])).map(PASSPORT_DOMAINS.fromRow);
}

const ADD = statement(`
  ${PASSPORT_DOMAINS.insertion}
  ON CONFLICT (domain) DO NOTHING RETURNING domain`);

/** Returns false if another key has already proved the domain. */
export async function addDomain(tx: Writer, domain: ProvedDomain): Promise<boolean> {
  return (await linkOf(tx).rows(ADD, PASSPORT_DOMAINS.cells(domain))).length > 0;
}

const SET = statement(`${PASSPORT_DOMAINS.change} WHERE domain = ?`);

/** Writes a domain that is locked. */
export async function setDomain(tx: Writer, domain: ProvedDomain): Promise<void> {
  await linkOf(tx).rows(SET, [...PASSPORT_DOMAINS.changes(domain), domain.domain]);
}

const DROP = statement('DELETE FROM passport_domains WHERE domain = ?');

export async function dropDomain(tx: Writer, domain: string): Promise<void> {
  await linkOf(tx).rows(DROP, [domain]);
}

const FIRST = statement(`
  ${DOMAIN_FIRSTS.insertion} ON CONFLICT (operator_id) DO NOTHING RETURNING domain`);

/** Whether it is the first domain proved among those that one operator runs. */
export async function isFirstOf(
  tx: Writer,
  operatorId: string,
  domain: string,
  at: Instant,
): Promise<boolean> {
  const cells = DOMAIN_FIRSTS.cells({ operatorId, domain, at });
  return (await linkOf(tx).rows(FIRST, cells)).length > 0;
}

const DUE = statement(
  `UPDATE passport_domains SET next_check_at = ? WHERE domain IN (
      SELECT domain FROM passport_domains WHERE next_check_at <= ?
        ORDER BY next_check_at, domain LIMIT ?) RETURNING *`,
  `UPDATE passport_domains SET next_check_at = ? WHERE domain IN (
      SELECT domain FROM passport_domains WHERE next_check_at <= ?
        ORDER BY next_check_at, domain LIMIT ? FOR UPDATE SKIP LOCKED) RETURNING *`,
);

/** Domains that are due, put off until a moment so that no other process looks as well. */
export async function takeDueDomains(
  tx: Writer,
  { now, until, limit }: { readonly now: Instant; readonly until: Instant; readonly limit: number },
): Promise<readonly ProvedDomain[]> {
  return (await linkOf(tx).rows(DUE, [until, now, limit])).map(PASSPORT_DOMAINS.fromRow);
}
