import { items, type paths } from '../index.ts';
import type { Success } from '../routes.ts';
import { countOf, isSet, textOf, wordsOf, type Command } from './command.ts';
import { usdc } from './money.ts';
import { openSession, ownerOf } from './session.ts';
import { show, table } from './show.ts';
import { defined } from '../../../domain/defined.ts';

type Entry = Success<paths['/api/v1/wallet/{owner}/statement']['get']>['entries'][number];

const PAGE = 200;
const SHOWN = 50;
const COLUMNS = [
  'seq',
  'at',
  'direction',
  'reason',
  'amount',
  'balanceAfter',
  'heldAfter',
  'counterparty',
  'memo',
  'transferId',
] as const;

export const statement: Command = {
  usage: 'statement',
  summary: 'what moved on the account, newest first',
  options: { csv: { type: 'boolean' }, limit: { type: 'string' }, network: { type: 'string' } },
  help: `  --csv           every entry, from the first, in atomic units, for a spreadsheet or a ledger
  --limit N       so many entries; ${SHOWN} when absent, all with --csv
  --network NAME  the money's network; the hub's own when absent
`,
  run: async (call) => {
    wordsOf(call);
    const isCsv = isSet(call, 'csv');
    const limit = countOf(call, 'limit') ?? (isCsv ? Infinity : SHOWN);
    const network = textOf(call, 'network');
    const { hub } = await openSession(call);
    const params = {
      path: { owner: await ownerOf(hub) },
      query: { limit: Math.min(PAGE, limit), ...defined({ network }) },
    };
    const entries: Entry[] = [];
    const path = '/api/v1/wallet/{owner}/statement';
    for await (const entry of items(hub, path, 'entries', { params, signal: call.io.signal })) {
      entries.push(entry);
      if (entries.length >= limit) break;
    }
    if (isCsv) call.io.out(csv(entries.reverse()));
    else show(call, entries, () => table(call.io, HEADINGS, entries.map(rowOf)));
    return 0;
  },
};

const HEADINGS = ['seq', 'at', 'what', 'amount', 'balance', 'with', 'memo'];

function rowOf(entry: Entry): readonly (string | number | undefined)[] {
  const { seq, at, direction, reason, amount, balanceAfter, counterparty, memo } = entry;
  const sign = direction === 'out' ? '-' : '';
  const what = direction === 'in' || direction === 'out' ? reason : `${reason} (${direction})`;
  return [seq, at.slice(0, 19), what, sign + usdc(amount), usdc(balanceAfter), counterparty, memo];
}

/** Formats RFC 4180. An untrusted memo must not become a formula in a spreadsheet. */
function csv(entries: readonly Entry[]): string {
  const lines = entries.map((entry) => COLUMNS.map((name) => csvCell(entry[name])));
  return [COLUMNS.join(','), ...lines.map((cells) => cells.join(',')), ''].join('\r\n');
}

function csvCell(value: string | number | undefined): string {
  const text = value === undefined ? '' : String(value);
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
