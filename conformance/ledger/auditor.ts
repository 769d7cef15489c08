import { strict as assert } from 'node:assert';
import type { Store } from '../../db/store.ts';
import { gamesMatch, readGames, type Games } from './games.ts';

/**
 * Replays the whole journal and compares it with the balances, without code of the ledger: it reads
 * plain rows by choices ledger.invariants and trusts no derived column. For books of test size.
 */
export async function assertBooksBalance(store: Store): Promise<void> {
  assert.deepEqual(await differences(store), []);
}

/** Returns the faults of the books, in words; empty when they are right. */
export async function differences(store: Store): Promise<readonly string[]> {
  const books = await store.read(async ({ knex }) => ({
    accounts: plain(await knex('accounts').orderBy('id')),
    transfers: plain(await knex('transfers').orderBy('seq')),
    entries: plain(await knex('entries').orderBy(['account_id', 'account_seq'])),
    commitments: plain(await knex('commitments').orderBy('id')),
    calls: plain(await knex('idempotency')),
    loans: plain(await knex('loans').orderBy('id')),
    payments: plain(await knex('loan_payments').orderBy(['loan_id', 'transfer_id'])),
    karma: plain(await knex('karma_entries').orderBy('id')),
    standings: plain(await knex('karma_totals').orderBy('subject')),
    routed: plain(await knex('calls').orderBy('id')),
    games: await readGames(knex),
  }));
  return [
    ...sums(books),
    ...transfersBalance(books),
    ...statementsFollow(books),
    ...holdsMatch(books),
    ...outsideIsClosed(books),
    ...callsOnce(books),
    ...loansMatch(books),
    ...lenderLends(books),
    ...karmaAddsUp(books),
    ...routedMatch(books),
    ...gamesMatch(books),
  ];
}

type Line = Readonly<Record<string, string>>;
interface Books {
  readonly accounts: readonly Line[];
  readonly transfers: readonly Line[];
  readonly entries: readonly Line[];
  readonly commitments: readonly Line[];
  readonly calls: readonly Line[];
  readonly loans: readonly Line[];
  readonly payments: readonly Line[];
  readonly karma: readonly Line[];
  readonly standings: readonly Line[];
  readonly routed: readonly Line[];
  readonly games: Games;
}

const OUTSIDE_REASONS = new Set([
  ...['deposit', 'deposit.reversed', 'faucet', 'issue', 'withdraw', 'withdraw.fee'],
  ...['x402.topup', 'x402.pay', 'sweep.evm'],
]);

function sums({ accounts }: Books): string[] {
  const totals = new Map<string, bigint>();
  for (const line of accounts)
    add(totals, `${line['network']} ${line['asset']}`, of(line, 'posted'));
  return [...totals]
    .filter(([, total]) => total !== 0n)
    .map(([place, total]) => `${place}: balances add up to ${total}`);
}

function transfersBalance({ accounts, transfers, entries }: Books): string[] {
  const places = new Map(accounts.map((line) => [line['id'], placeOf(line)]));
  const known = new Map(transfers.map((line) => [line['seq'], placeOf(line)]));
  const totals = new Map<string, bigint>([...known.keys()].map((seq) => [seq ?? '', 0n]));
  const used = new Set<string>();
  const wrong: string[] = [];
  for (const line of entries) {
    const seq = line['transfer_seq'] ?? '';
    used.add(seq);
    if (line['kind'] === 'move') add(totals, seq, of(line, 'delta'));
    if (known.get(seq) !== places.get(line['account_id'])) {
      wrong.push(`transfer ${seq} reaches another network or asset`);
    }
  }
  for (const [seq, total] of totals) {
    if (total !== 0n) wrong.push(`transfer ${seq}: moves add up to ${total}`);
    if (!used.has(seq)) wrong.push(`transfer ${seq} has no entries`);
  }
  return wrong;
}

function statementsFollow({ accounts, entries }: Books): string[] {
  const wrong: string[] = [];
  const running = new Map<string, { posted: bigint; held: bigint; seq: bigint }>();
  for (const line of entries) {
    const id = line['account_id'] ?? '';
    const now = running.get(id) ?? { posted: 0n, held: 0n, seq: 0n };
    running.set(id, now);
    now.seq += 1n;
    if (line['kind'] === 'move') now.posted += of(line, 'delta');
    else now.held += of(line, 'delta');
    const name = `account ${id} entry ${line['account_seq']}`;
    if (of(line, 'account_seq') !== now.seq) wrong.push(`${name} comes after a gap`);
    if (of(line, 'posted_after') !== now.posted) wrong.push(`${name}: balance is ${now.posted}`);
    if (of(line, 'held_after') !== now.held) wrong.push(`${name}: held is ${now.held}`);
  }
  for (const line of accounts) {
    const now = running.get(line['id'] ?? '') ?? { posted: 0n, held: 0n, seq: 0n };
    for (const column of ['posted', 'held', 'seq'] as const) {
      if (of(line, column) !== now[column]) {
        wrong.push(`${line['name']}: ${column} is ${line[column]}, its entries say ${now[column]}`);
      }
    }
    const owes = now.posted < now.held || now.held < 0n;
    if (owes && !line['name']?.startsWith('external:')) wrong.push(`${line['name']} overspent`);
  }
  return wrong;
}

function holdsMatch({ accounts, commitments }: Books): string[] {
  const open = new Map<string, bigint>();
  const waiting = new Map<string, number>();
  const wrong: string[] = [];
  for (const line of commitments) {
    const remaining = of(line, 'remaining');
    if ((line['state'] === 'open') !== remaining > 0n || remaining > of(line, 'amount')) {
      wrong.push(`commitment ${line['id']} is ${line['state']} with ${remaining} remaining`);
    }
    add(open, line['account_id'] ?? '', remaining);
    if (remaining > 0n && ['task', 'payout', 'chain'].includes(line['kind'] ?? '')) {
      const ref = `${line['ref_kind']} ${line['ref_id']}`;
      waiting.set(ref, (waiting.get(ref) ?? 0) + 1);
    }
  }
  for (const line of accounts) {
    const committed = open.get(line['id'] ?? '') ?? 0n;
    if (of(line, 'held') !== committed) {
      wrong.push(`${line['name']} holds ${line['held']} for commitments of ${committed}`);
    }
  }
  for (const [ref, count] of waiting) if (count > 1) wrong.push(`${ref} has ${count} holds`);
  return wrong;
}

function outsideIsClosed({ accounts, entries }: Books): string[] {
  const outside = new Map(
    accounts
      .filter((line) => line['name']?.startsWith('external:'))
      .map((line) => [line['id'], line['name']]),
  );
  return entries
    .filter((line) => outside.has(line['account_id']) && !OUTSIDE_REASONS.has(line['reason'] ?? ''))
    .map((line) => `${outside.get(line['account_id'])} was touched by ${line['reason']}`);
}

function callsOnce({ calls, transfers }: Books): string[] {
  const ids = new Set(transfers.map((line) => line['id']));
  const seen = new Set<string>();
  const wrong: string[] = [];
  for (const line of calls) {
    const id = line['transfer_id'] ?? '';
    const call = `${line['account']} ${line['operation']} ${line['key']}`;
    if (seen.has(call)) wrong.push(`${call} was done twice`);
    seen.add(call);
    if (line['result'] === '') wrong.push(`${call} has no result`);
    if (id === '') continue;
    if (!ids.has(id)) wrong.push(`${call} names a transfer that does not exist`);
    if (seen.has(id)) wrong.push(`transfer ${id} belongs to two calls`);
    seen.add(id);
  }
  return wrong;
}

/** A loan owes what was lent less its payments, and is repaid exactly when it owes nothing. */
function loansMatch({ loans, payments }: Books): string[] {
  const wrong: string[] = [];
  for (const part of ['principal', 'origination']) {
    const paid = new Map<string, bigint>();
    for (const line of payments) add(paid, line['loan_id'] ?? '', of(line, part));
    for (const line of loans) {
      const left = of(line, part) - (paid.get(line['id'] ?? '') ?? 0n);
      if (of(line, `${part}_left`) !== left) wrong.push(`loan ${line['id']}: ${part} is ${left}`);
    }
  }
  for (const line of loans) {
    const left = of(line, 'principal_left') + of(line, 'origination_left');
    if ((line['state'] === 'repaid') !== (left === 0n)) {
      wrong.push(`loan ${line['id']} is ${line['state']} and owes ${left}`);
    }
  }
  return wrong;
}

/** The lending account moves by loans and its funding, each movement matched by the loans' rows. */
function lenderLends({ accounts, transfers, entries, loans, payments }: Books): string[] {
  const ids = new Map(transfers.map((line) => [line['seq'], line['id'] ?? '']));
  const lender = accounts.filter((line) => line['name'] === 'hub:credit').map((line) => line['id']);
  const moved = new Map<string, bigint>();
  const reported = new Map<string, bigint>();
  const wrong: string[] = [];
  for (const line of entries) {
    const reason = line['reason'] ?? '';
    const ofLender = lender.includes(line['account_id']);
    const taken = reason === 'loan.origination' && of(line, 'delta') > 0n;
    const isLoan = ['loan.advance', 'loan.repay'].includes(reason);
    if (taken || (ofLender && isLoan)) {
      add(moved, `${ids.get(line['transfer_seq'])} ${reason}`, of(line, 'delta'));
    } else if (ofLender && !LENDER_FUNDING.has(reason)) {
      wrong.push(`hub:credit was moved by ${reason}`);
    }
  }
  for (const line of loans)
    add(reported, `${line['transfer_id']} loan.advance`, -of(line, 'principal'));
  for (const line of payments) {
    add(reported, `${line['transfer_id']} loan.repay`, of(line, 'principal'));
    add(reported, `${line['transfer_id']} loan.origination`, of(line, 'origination'));
  }
  for (const what of new Set([...moved.keys(), ...reported.keys()])) {
    const [ledger, rows] = [moved.get(what) ?? 0n, reported.get(what) ?? 0n];
    if (ledger !== rows) wrong.push(`${what}: moved ${ledger}, the loans say ${rows}`);
  }
  return wrong;
}

function karmaAddsUp({ karma, standings }: Books): string[] {
  const totals = new Map<string, bigint>();
  const fromTest = new Map<string, bigint>();
  for (const line of karma) {
    const subject = line['subject'] ?? '';
    add(totals, subject, of(line, 'delta'));
    if (line['money'] === 'test') add(fromTest, subject, of(line, 'delta'));
  }
  const known = new Map(standings.map((line) => [line['subject'] ?? '', line]));
  return [...new Set([...totals.keys(), ...known.keys()])].flatMap((subject) => {
    const line = known.get(subject);
    const [total, test] = [totals.get(subject) ?? 0n, fromTest.get(subject) ?? 0n];
    const right =
      line !== undefined && of(line, 'total') === total && of(line, 'from_test') === test;
    return right && test <= 20n ? [] : [`${subject}: entries add up to ${total}, ${test} of test`];
  });
}

/** Money waits for calls that run, each has what its row says, and a cost was paid. */
function routedMatch({ routed, commitments, entries, transfers }: Books): string[] {
  const waiting = new Map<string, bigint>();
  for (const line of commitments) {
    const isCall = line['kind'] === 'call' && line['ref_kind'] === 'call';
    if (isCall) add(waiting, line['ref_id'] ?? '', of(line, 'remaining'));
  }
  const ids = new Map(transfers.map((line) => [line['seq'], line['id'] ?? '']));
  const charged = new Map<string, bigint>();
  for (const line of entries) {
    const isCharge = line['reason'] === 'call.charge' && line['kind'] === 'move';
    if (!isCharge || of(line, 'delta') < 0n) continue;
    add(charged, ids.get(line['transfer_seq']) ?? '', of(line, 'delta'));
  }
  return routed.flatMap((line) => {
    const id = line['id'] ?? '';
    const held = line['outcome'] === 'running' ? of(line, 'held') : 0n;
    const paid = line['transfer_id'] === '' ? 0n : (charged.get(line['transfer_id'] ?? '') ?? 0n);
    const wrong = [];
    if ((waiting.get(id) ?? 0n) !== held) wrong.push(`call ${id} holds ${waiting.get(id)}`);
    if (paid !== of(line, 'cost')) wrong.push(`call ${id} cost ${line['cost']}, paid ${paid}`);
    return wrong;
  });
}

const LENDER_FUNDING = new Set(['issue', 'deposit', 'recirculate', 'adjust']);

function placeOf(line: Line): string {
  return `${line['network']} ${line['asset']}`;
}

function add(totals: Map<string, bigint>, key: string, value: bigint): void {
  totals.set(key, (totals.get(key) ?? 0n) + value);
}

function of(line: Line, column: string): bigint {
  return BigInt(line[column] ?? '');
}

/** Rows as texts, whatever the driver made of them; an absent value is the empty text. */
function plain(rows: unknown): readonly Line[] {
  assert.ok(Array.isArray(rows));
  return rows.map((row: unknown) => {
    assert.ok(typeof row === 'object' && row !== null);
    return Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, value === null ? '' : String(value)]),
    );
  });
}
