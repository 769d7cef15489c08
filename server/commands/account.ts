import type { Reader } from '../../db/connection.ts';
import { unpaidLoans } from '../../db/credit/loans.ts';
import { standing } from '../../db/karma/entries.ts';
import { viewIn } from '../../db/batch/look.ts';
import { balance } from '../../db/ledger/balances.ts';
import { statement, type StatementEntry } from '../../db/ledger/statement.ts';
import { openHolds } from '../../db/wallet/holds.ts';
import { accountOfKey, boundKeys } from '../../db/wallet/keys.ts';
import { networks } from '../../db/wallet/networks.ts';
import { readSnapshot } from '../../db/wallet/snapshot.ts';
import { parseAccount, parseKeyId, type Account } from '../../domain/account.ts';
import { iso } from '../../domain/instant.ts';
import { ASSET, type NetworkId } from '../../domain/network.ts';
import { readSettings } from '../boot/config.ts';
import { databaseExists, type Command } from './command.ts';

/** Entries of each network that are shown; the statement has all. */
const ENTRIES = 20;

/** `hubctl account KEY`: what an account has and did, read beside a running hub. */
export const account: Command = async ([name, ...more], env, print) => {
  if (name === undefined || more.length > 0) return undefined;
  const { databaseUrl } = readSettings(env);
  if (!databaseExists(databaseUrl, print)) return 2;
  const named = parseAccount(name);
  if (named === undefined) {
    print(`${name} is no account: give a key, key:…, or an account of the house, hub:….\n`);
    return 2;
  }
  print(await readSnapshot(databaseUrl, (db) => describe(db, named)));
  return 0;
};

/** Keys, karma, holds and newest entries of an account, one a line. */
export async function describe(db: Reader, named: Account): Promise<string> {
  const keyId = parseKeyId(named.replace(/^key:/, ''));
  const bound = keyId === undefined ? undefined : await accountOfKey(db, keyId);
  if (bound !== undefined && bound !== named) return describe(db, bound);
  const karma = await standing(db, named);
  const keys = await boundKeys(db, named);
  const loans = await unpaidLoans(db, named);
  const lines = [
    `${named}: karma ${karma.total}, of it ${karma.fromTestNetworks} from test networks`,
    ...keys.map(({ keyId: id, boundAt }) => `  key ${id} since ${iso(boundAt)}`),
    ...loans.map(({ id, state }) => `  loan ${id} ${state}`),
  ];
  for (const { id } of await networks(db)) lines.push(...(await onNetwork(db, named, id)));
  return `${lines.join('\n')}\n`;
}

async function onNetwork(
  db: Reader,
  named: Account,
  network: NetworkId,
): Promise<readonly string[]> {
  const place = { network, asset: ASSET };
  const { posted, held, spendable, seq } = await balance(db, named, place);
  if (seq === 0) return [];
  const of = { account: named, ...place };
  const { listed, older } = await viewIn(db, { needs: [], decide: (view) => openHolds(view, of) });
  const { entries } = await statement(db, named, place, { limit: ENTRIES });
  return [
    `${network} ${ASSET}, atomic units: ${posted}, held ${held}, spendable ${spendable}`,
    ...listed.map(({ kind, amount, ref }) => `  held ${amount} ${kind} for ${ref.kind} ${ref.id}`),
    ...older.map(({ kind, amount, count }) => `  held ${amount} ${kind} in ${count} older holds`),
    ...entries.map(line),
  ];
}

function line({ at, direction, amount, reason, ref, counterparty }: StatementEntry): string {
  const other = counterparty === undefined ? '' : ` ${counterparty}`;
  return `  ${iso(at)} ${direction} ${amount} ${reason} ${ref.kind} ${ref.id}${other}`;
}
