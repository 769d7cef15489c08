import { existsSync } from 'node:fs';
import { viewIn } from '../../db/batch/look.ts';
import type { Reader, Row } from '../../db/connection.ts';
import { KNOWN_ACCESS_LOG_KEY } from '../../db/operator/accessLogKey.ts';
import {
  accountWhere,
  decisionsAbout,
  explained,
  type Facts,
} from '../../db/operator/explained.ts';
import { readSnapshot } from '../../db/wallet/snapshot.ts';
import { parseAccount, type Account } from '../../domain/account.ts';
import { accountDigest, type AccountDigest } from '../../domain/accountDigest.ts';
import { instant, iso } from '../../domain/instant.ts';
import { head } from '../../domain/text.ts';
import { readSettings } from '../boot/config.ts';
import { describe } from './account.ts';
import { databaseExists, printable, type Command } from './command.ts';
import { linesAbout, type LogLine } from './explain/logLines.ts';

/** A log is searched where it is given; journald passes it on by standard input. */
const HINT = 'The log has requests: journalctl -u hub -o cat | hubctl explain ID --log -\n';
const VALUE_LETTERS_MAX = 200;

/**
 * `hubctl explain ID [--log FILE]`: all that the database and the log have about a request, a task,
 * an account or a transfer. It writes nothing.
 */
export const explain: Command = async (words, env, print) => {
  const [id, option, file, ...more] = words;
  if (id === undefined || more.length > 0 || (option !== undefined && option !== '--log')) {
    return undefined;
  }
  const { databaseUrl } = readSettings(env);
  if (!databaseExists(databaseUrl, print)) return 2;
  if (file !== undefined && file !== '-' && !existsSync(file)) {
    print(`There is no log at ${file}; --log takes a file, or - for standard input.\n`);
    return 2;
  }
  const parts = await readSnapshot(databaseUrl, async (db) => {
    const digest = await digestOf(db);
    const account = parseAccount(id);
    const named = account === undefined ? [id] : [id, digest?.(account) ?? id];
    const lines = file === undefined ? [] : await linesAbout(file, named);
    const own = account === undefined ? await stored(db, id) : await ofAccount(db, account);
    return [...own, ...(await ofLog(db, lines, id, digest))];
  });
  if (parts.length === 0) {
    print(
      `No task, transfer or account is named ${printable(id)}${file ? ', and no line of the log' : ''}.\n`,
    );
    print(HINT);
    return 1;
  }
  print(`${parts.join('\n')}\n`);
  return 0;
};

async function digestOf(db: Reader): Promise<AccountDigest | undefined> {
  const secret = await viewIn(db, KNOWN_ACCESS_LOG_KEY);
  return secret === undefined ? undefined : accountDigest(secret);
}

async function stored(db: Reader, id: string): Promise<readonly string[]> {
  return ((await explained(db, id)) ?? []).flatMap(shown);
}

async function ofAccount(db: Reader, account: Account): Promise<readonly string[]> {
  return [(await describe(db, account)).trimEnd(), ...shown(await decisionsAbout(db, account))];
}

/** Lines of the log, and for one request also the account and the things that it names. */
async function ofLog(
  db: Reader,
  lines: readonly LogLine[],
  id: string,
  digest: AccountDigest | undefined,
): Promise<readonly string[]> {
  const parts: string[] = [];
  const known = new Map<string, string>();
  for (const line of lines) {
    const { account } = line;
    if (typeof account === 'string' && digest !== undefined && !known.has(account)) {
      const found = await accountWhere(db, (name) => digest(name as Account) === account);
      known.set(account, found ?? 'an account that did nothing that is stored');
    }
    parts.push(lineText(line, known));
  }
  const asked = lines.filter(({ requestId }) => requestId === id);
  const named = new Set(asked.flatMap(({ ids }) => (Array.isArray(ids) ? ids.map(String) : [])));
  for (const each of named) parts.push(...(await stored(db, each)));
  return parts;
}

function lineText(line: LogLine, known: ReadonlyMap<string, string>): string {
  const { time, level, msg, requestId, operation, status, code, ms, account, ids, err } = line;
  const at = typeof time === 'number' ? `${iso(instant(time))} ` : '';
  const what =
    operation === undefined ? `level ${String(level)} ${String(msg)}` : String(operation);
  const by = typeof account === 'string' ? `by ${known.get(account) ?? account}` : '';
  const error = err as { readonly message?: unknown } | undefined;
  const words = [
    status === undefined ? '' : `answered ${String(status)}`,
    code === undefined || code === '' ? '' : `refused ${String(code)}`,
    ms === undefined ? '' : `in ${String(ms)} ms`,
    by,
    Array.isArray(ids) ? `about ${ids.join(' ')}` : '',
    requestId === undefined ? '' : `request ${String(requestId)}`,
    error === undefined ? '' : printable(head(String(error.message), VALUE_LETTERS_MAX)),
  ];
  return `log ${at}${what} ${words.filter((word) => word !== '').join(' ')}`.trimEnd();
}

function shown({ kind, rows }: Facts): readonly string[] {
  return rows.map((row) => `${kind} ${rowText(row)}`);
}

const MOMENTS = ['at', 'delivered', 'ended', 'lease_ends', 'lifted'];

function rowText({ at, ...rest }: Row): string {
  const values = Object.entries(rest).filter(([, value]) => value !== null);
  const texts = values.map(([name, value]) => `${name} ${valueText(name, value)}`);
  return [...(at === undefined || at === null ? [] : [valueText('at', at)]), ...texts].join(', ');
}

function valueText(name: string, value: unknown): string {
  if (MOMENTS.includes(name)) return iso(instant(Number(value)));
  const text = head(String(value), VALUE_LETTERS_MAX);
  return /^[\w:.\- ]*$/.test(text) ? text : printable(text);
}
