import { parseKeyId, type KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { ProvedDomain } from '../../domain/passport/domain.ts';
import type { ProofMethod } from '../../domain/passport/proof.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';

/** Who holds which domain, and which domains are to be checked again. */
const COLUMNS = [
  'domain',
  'key_id',
  'origin',
  'method',
  'proved_at',
  'last_confirmed_at',
  'next_check_at',
  'missing_since',
] as const;

const OF_KEY = 'SELECT * FROM passport_domains WHERE key_id = ? ORDER BY proved_at, domain';
const OF_KEY_READ = statement(`${OF_KEY} LIMIT 1000`);

/** The domains of a passport, the longest held first. */
export async function domainsOf(db: Reader, keyId: KeyId): Promise<readonly ProvedDomain[]> {
  return (await linkOf(db).rows(OF_KEY_READ, [keyId])).map(domainOf);
}

const HOLDER = statement('SELECT key_id FROM passport_domains WHERE domain = ?');

export async function domainHolder(db: Reader, domain: string): Promise<KeyId | undefined> {
  const row = column.one(await linkOf(db).rows(HOLDER, [domain]));
  return row && parseKeyId(column.text(row, 'key_id'));
}

const LOCK = statement(
  'SELECT * FROM passport_domains WHERE domain = ?',
  'SELECT * FROM passport_domains WHERE domain = ? FOR UPDATE',
);

export async function lockDomain(tx: Writer, domain: string): Promise<ProvedDomain | undefined> {
  const row = column.one(await linkOf(tx).rows(LOCK, [domain]));
  return row && domainOf(row);
}

/** Locks a domain, and answers the key whose proof of it stands. */
export async function lockHolder(tx: Writer, domain: string): Promise<KeyId | undefined> {
  const held = await lockDomain(tx, domain);
  return held?.missingSince === undefined ? held?.keyId : undefined;
}

const LOCK_ALL = statement(OF_KEY, `${OF_KEY} FOR UPDATE`);

export async function lockDomains(tx: Writer, keyId: KeyId): Promise<readonly ProvedDomain[]> {
  return (await linkOf(tx).rows(LOCK_ALL, [keyId])).map(domainOf);
}

const ADD = statement(`
  INSERT INTO passport_domains (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})
  ON CONFLICT (domain) DO NOTHING RETURNING domain`);

/** Returns false if another key has already proved the domain. */
export async function addDomain(tx: Writer, domain: ProvedDomain): Promise<boolean> {
  return (await linkOf(tx).rows(ADD, valuesOf(domain))).length > 0;
}

const SET = statement(`
  UPDATE passport_domains SET ${COLUMNS.slice(1)
    .map((name) => `${name} = ?`)
    .join(', ')} WHERE domain = ?`);

/** Writes a domain that is locked. */
export async function setDomain(tx: Writer, domain: ProvedDomain): Promise<void> {
  const [name = null, ...rest] = valuesOf(domain);
  await linkOf(tx).rows(SET, [...rest, name]);
}

const DROP = statement('DELETE FROM passport_domains WHERE domain = ?');

export async function dropDomain(tx: Writer, domain: string): Promise<void> {
  await linkOf(tx).rows(DROP, [domain]);
}

const FIRST = statement(`
  INSERT INTO domain_firsts (operator_id, domain, at) VALUES (?, ?, ?)
  ON CONFLICT (operator_id) DO NOTHING RETURNING domain`);

/** Whether it is the first domain proved among those that one operator runs. */
export async function isFirstOf(
  tx: Writer,
  operatorId: string,
  domain: string,
  at: Instant,
): Promise<boolean> {
  return (await linkOf(tx).rows(FIRST, [operatorId, domain, at])).length > 0;
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
  return (await linkOf(tx).rows(DUE, [until, now, limit])).map(domainOf);
}

function valuesOf(of: ProvedDomain): readonly (string | number | null)[] {
  const { domain, keyId, origin, method, provedAt, lastConfirmedAt, nextCheckAt } = of;
  const times = [provedAt, lastConfirmedAt, nextCheckAt, of.missingSince ?? null];
  return [domain, keyId, origin, method, ...times];
}

function domainOf(row: Row): ProvedDomain {
  const keyId = parseKeyId(column.text(row, 'key_id'));
  if (keyId === undefined) throw new Error('passport_domains holds what is no key');
  const missingSince = column.timeOrNull(row, 'missing_since');
  return {
    domain: column.text(row, 'domain'),
    keyId,
    origin: column.text(row, 'origin'),
    method: column.text(row, 'method') as ProofMethod,
    provedAt: column.time(row, 'proved_at'),
    lastConfirmedAt: column.time(row, 'last_confirmed_at'),
    nextCheckAt: column.time(row, 'next_check_at'),
    ...(missingSince !== null && { missingSince }),
  };
}
