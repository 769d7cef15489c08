import type { Instant } from '../../domain/instant.ts';
import type { AccessClass } from '../../domain/registry/listing.ts';
import * as column from '../columns.ts';
import {
  linkOf,
  statement,
  type Dialect,
  type Reader,
  type Statement,
  type Value,
} from '../connection.ts';

/** Behind which record a page begins; with a moment in the order of changes. */
export interface ServerPlace {
  readonly updatedAt?: Instant;
  readonly name: string;
  readonly version: string;
}

export interface ServerFilter {
  readonly after?: ServerPlace;
  readonly search?: string;
  readonly updatedSince?: Instant;
  readonly version?: string;
  readonly includeDeleted: boolean;
  readonly live: boolean;
  readonly access?: AccessClass;
  readonly limit: number;
}

/** JSON that is the same in every record of a hub. */
export interface ServerFrame {
  /** From the end of `server` to the value of `status`. */
  readonly meta: string;
  /** The address of records, without the id at its end. */
  readonly records: string;
}

type ByDialect = Readonly<Record<Dialect, (value: string) => string>>;

const ISO: ByDialect = {
  sqlite: (ms) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${ms} / 1000.0, 'unixepoch')`,
  postgres: (ms) =>
    `to_char(to_timestamp(${ms} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
      || '.' || lpad((${ms} % 1000)::text, 3, '0') || 'Z'`,
};
const QUOTED: ByDialect = {
  sqlite: (text) => `json_quote(${text})`,
  postgres: (text) => `to_json(${text})::text`,
};
const COUNTED: ByDialect = {
  sqlite: (json) => `json_array_length(${json})`,
  postgres: (json) => `json_array_length(${json}::json)`,
};
const NO_LONGER_SERVED = 'The server reports another version now, or is gone.';

const truth = (column: string): string => `CASE ${column} WHEN 1 THEN 'true' ELSE 'false' END`;
/** One call of `format`, which builds the text at once: each `||` copies all that is before it. */
const format = (parts: readonly (readonly [text: string, value: string])[], end: string): string =>
  `format('${parts.map(([text]) => `${text}%s`).join('')}${end}', ${parts.map(([, value]) => value).join(', ')})`;

/**
 * The JSON text of a record, put together by the database: a page of a hundred is one value, and
 * nothing of it is parsed or written again. `l` is the listing that serves the version, if any.
 */
function recordText(dialect: Dialect): string {
  const quoted = QUOTED[dialect];
  const iso = ISO[dialect];
  const optional = (name: string, column: string): string =>
    `CASE WHEN ${column} IS NOT NULL THEN ${format([[`,"${name}":`, quoted(column)]], '')} END`;
  const gone = quoted(`coalesce(l.availability_note, '${NO_LONGER_SERVED}')`);
  const price = format(
    [
      [',"price":{"amount":"', 'l.price_amount'],
      ['","asset":', quoted('l.price_asset')],
      ['', optional('network', 'l.price_network')],
    ],
    '}',
  );
  const measured = format(
    [
      [',"agentId":"', 'l.id'],
      ['","record":"', 'CAST(? AS text)'],
      ['', 'l.id'],
      ['","availability":"', 'l.availability'],
      ['","availabilityNote":', quoted('l.availability_note')],
      [',"uptime":', 'round(l.uptime_bps / 10000.0, 4)'],
      [',"latencyMs":', 'l.latency_ms'],
      [',"lastCheckedAt":"', iso('l.last_checked_at')],
      ['","access":"', 'l.access'],
      ['","verifiedOpen":', truth('l.verified_open')],
      [',"tools":', 'l.skill_count'],
      [',"injectionSignals":', COUNTED[dialect]('l.injection_signals')],
      [',"karma":', 'l.karma'],
      ['', optional('protocolVersion', 'l.protocol_version')],
      ['', optional('verification', 'l.verification')],
      ['', `CASE WHEN l.price_amount IS NOT NULL THEN ${price} END`],
    ],
    '',
  );
  const packaged = format(
    [
      [',"remote":"none","publisher":', quoted('p.publisher')],
      [',"publisherProof":"', 'p.proof'],
      ['","feed":', quoted('p.feed')],
      [',"injectionSignals":', 'p.signals'],
    ],
    '',
  );
  return format(
    [
      ['{"server":', 's.server'],
      ['', 'CAST(? AS text)'],
      [
        '',
        `CASE s.listed WHEN 1 THEN '"active"' ELSE ${format([['"deleted","statusMessage":', gone]], '')} END`,
      ],
      [',"isLatest":', truth('s.is_latest')],
      [',"publishedAt":"', iso('s.published_at')],
      ['","updatedAt":"', iso('s.updated_at')],
      ['","contentIsUntrusted":true', `CASE WHEN l.id IS NOT NULL THEN ${measured} END`],
      ['', `CASE WHEN p.id IS NOT NULL THEN ${packaged} END`],
    ],
    '}}}',
  );
}

const LISTED_BY = `mcp_servers AS s
  LEFT JOIN listings AS l ON s.is_latest = 1 AND l.id = s.listing_id
  LEFT JOIN server_packages AS p ON s.is_latest = 1 AND p.id = s.listing_id`;
/** No JSON text has this character as it is. */
const BETWEEN = '\u001e';
/** All texts as one value: rows by themselves cost the SQLite driver more than the query. */
function texts(dialect: Dialect, rest: string): string {
  const joined =
    dialect === 'sqlite' ? 'group_concat(text, char(30))' : 'string_agg(text, chr(30))';
  return `SELECT ${joined} AS texts FROM (
    SELECT ${recordText(dialect)} AS text FROM ${LISTED_BY} ${rest}) AS shown`;
}
const reading = (rest: string, postgres = rest): Statement =>
  statement(texts('sqlite', rest), texts('postgres', postgres));

/** The name, and the title and description that the server claims now. */
const SEARCHED = [
  's.name',
  "coalesce(l.name, p.title, '')",
  "coalesce(l.description, p.description, '')",
];

const PAGES = new Map<string, Statement>();

/** A page by name and version; of changes since a moment by that of the change. */
export async function serverPage(
  db: Reader,
  frame: ServerFrame,
  filter: ServerFilter,
): Promise<readonly string[]> {
  const { after, search, updatedSince, version, includeDeleted, live, access, limit } = filter;
  const parts: [sqlite: string, value?: readonly Value[], postgres?: string][] = [];
  if (!includeDeleted && updatedSince === undefined) parts.push(['s.listed = 1']);
  if (live) parts.push(['s.live = 1']);
  if (version === 'latest') parts.push(['s.is_latest = 1']);
  else if (version !== undefined) parts.push(['s.version = ?', [version]]);
  if (access !== undefined) parts.push(['s.access = ?', [access]]);
  if (search !== undefined) {
    const text = search.toLowerCase();
    const within = (find: string): string =>
      `(${SEARCHED.map((name) => `${find}(lower(${name}), ?) > 0`).join(' OR ')})`;
    parts.push([within('instr'), SEARCHED.map(() => text), within('strpos')]);
  }
  const values: Value[] = parts.flatMap(([, value]) => value ?? []);
  const order =
    updatedSince === undefined ? 's.name, s.version' : 's.updated_at, s.name, s.version';
  const behind = updatedSince === undefined ? '(?, ?)' : '(?, ?, ?)';
  if (updatedSince !== undefined) values.push(after?.updatedAt ?? updatedSince);
  values.push(after?.name ?? '', after?.version ?? '', limit);
  parts.push([`(${order}) > ${behind}`]);
  const where = (texts: readonly string[]): string =>
    `WHERE ${texts.join(' AND ')} ORDER BY ${order} LIMIT ?`;
  const text = where(parts.map(([sqlite]) => sqlite));
  const read =
    PAGES.get(text) ??
    reading(text, where(parts.map(([sqlite, , postgres]) => postgres ?? sqlite)));
  PAGES.set(text, read);
  return textsOf(db, read, frame, values);
}

const SHOWN = '(s.listed = 1 OR 1 = ?)';
const OF_NAME = reading(`WHERE s.name = ? AND ${SHOWN}
  ORDER BY s.is_latest DESC, s.published_at DESC, s.version DESC LIMIT 100`);
/** A server that answers comes before a package of its name. */
const LATEST = reading(`WHERE s.name = ? AND s.is_latest = 1 AND ${SHOWN}
  ORDER BY CASE WHEN p.id IS NULL THEN 0 ELSE 1 END LIMIT 1`);
const OF_VERSION = reading(`WHERE s.name = ? AND s.version = ? AND ${SHOWN}`);

/** One version of a server, with `latest` the one that is served now; all without a version. */
export interface NamedServer {
  readonly name: string;
  readonly version?: string;
  readonly includeDeleted: boolean;
}

/** The versions that are named, the one that is served now first, then the newest. */
export function readServers(
  db: Reader,
  frame: ServerFrame,
  { name, version, includeDeleted }: NamedServer,
): Promise<readonly string[]> {
  const deleted = includeDeleted ? 1 : 0;
  if (version === undefined) return textsOf(db, OF_NAME, frame, [name, deleted]);
  if (version === 'latest') return textsOf(db, LATEST, frame, [name, deleted]);
  return textsOf(db, OF_VERSION, frame, [name, version, deleted]);
}

async function textsOf(
  db: Reader,
  read: Statement,
  { meta, records }: ServerFrame,
  values: readonly Value[],
): Promise<readonly string[]> {
  const row = column.one(await linkOf(db).rows(read, [meta, records, ...values]));
  const joined = row === undefined ? null : column.textOrNull(row, 'texts');
  return joined === null ? [] : joined.split(BETWEEN);
}
