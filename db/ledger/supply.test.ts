import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { AT, DEMAND, FEES, PLACE, person, run, sum } from '../../conformance/ledger/book.ts';
import { houseAccount, keyIdOf, parseAccount, type Account } from '../../domain/account.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import type { Reason } from '../../domain/ledger/reasons.ts';
import { makeSeal } from '../../domain/ledger/seal.ts';
import type { Move } from '../../domain/ledger/transfer.ts';
import { minuteOf } from '../../domain/time/minute.ts';
import { link, linkOf, type Reader, type Statement, type Value } from '../connection.ts';
import type { Store, Writer } from '../store.ts';
import { addSeal, readSeal } from './seals.ts';
import { statement, STATEMENT_ENTRIES_MAX, type StatementEntry } from './statement.ts';
import { supplyIn, type Span, type Supply } from './supply.ts';
import { newestTransfer } from './transferDigests.ts';

const BURNED = houseAccount('hub:burned');
const POT = houseAccount('hub:pot:poker:supply');
const GAS = houseAccount('hub:gas');
const RAIL = houseAccount('external:rail:sandbox');
const FAUCET = houseAccount('external:faucet');
const SUITE_MS_MAX = 60_000;

onBothDatabases('supply', (open) => {
  let store: Store;
  before(async () => {
    store = await open();
  });

  it('is what the statements of all accounts say, whatever moved and when', async function random() {
    this.timeout(SUITE_MS_MAX);
    const people = Array.from({ length: 3 }, person);
    let now: number = AT;
    const property = fc.asyncProperty(
      fc.array(CHOICE, { minLength: 1, maxLength: 8 }),
      fc.nat(200_000),
      async (choices, lengthMs) => {
        for (const { kind, from, to, amount, gapMs, seals } of choices) {
          now += gapMs;
          const [a, b] = [people[from] ?? WALLET, people[to] ?? WALLET];
          if (a !== b) await run(store, [KINDS[kind](a, b, amount)], { at: instant(now) });
          if (seals) await store.write((tx) => seal(tx, instant(now)));
        }
        const span = { from: instant(now - lengthMs), to: instant(now) };
        const reported = await store.read((db) => supplyIn(db, PLACE, span));
        assert.deepEqual(reported, bySupply(await store.read(allLines), span));
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });

  it('reads what moved in the span, and not the journal before it', async function many() {
    this.timeout(SUITE_MS_MAX);
    const [a, b] = [person(), person()];
    const start = instant(AT + 10_000_000_000);
    const later = instant(start + 10_000_000_000);
    await run(store, [move(FAUCET, a, 500, 'faucet'), move(a, b, 1, 'pay')], { at: start });
    await store.write((tx) => longJournal(tx, [a, b], start));
    await store.write((tx) => seal(tx, instant(later - 3_600_000)));
    await run(store, [move(a, b, 7, 'pay')], { at: later });
    const short = { from: instant(later - 60_000), to: later };
    const spans: readonly (readonly [span: Span, moved: number, rounds: number])[] = [
      [{ from: instant(start - 1), to: later }, LONG + 8, 1],
      // PostgreSQL settles on a plan after a few runs, which has to serve short spans too.
      [{ from: instant(start + LONG / 2), to: later }, LONG / 2 + 7, 5],
      [short, 7, 2],
    ];
    for (const [span, moved, rounds] of spans) {
      for (let round = 0; round < rounds; round += 1) {
        const reported = await store.read((db) => supplyIn(db, PLACE, span));
        assert.equal(reported.moved, BigInt(moved));
      }
    }
    await store.read((db) => assertReadsLittle(db, short));
    if (store.dialect === 'sqlite') return;
    // PostgreSQL learns of its tables whenever it likes; what it learns must not make it read more.
    await store.write((tx) => tx.knex.raw('ANALYZE'));
    await store.read((db) => assertReadsLittle(db, short));
  });
});

function move(from: Account, to: Account, amount: number, reason: Reason): Move {
  return { verb: 'move', from, to, amount: sum(BigInt(amount)), reason };
}

const WALLET = parseAccount('evm:0x00000000000000000000000000000000000000aa') ?? assert.fail();
const KINDS = {
  faucet: (a: Account, _: Account, n: number) => move(FAUCET, a, n, 'faucet'),
  deposit: (a: Account, _: Account, n: number) => move(RAIL, a, n, 'deposit'),
  topup: (a: Account, _: Account, n: number) => move(RAIL, a, n, 'x402.topup'),
  reversed: (a: Account, _: Account, n: number) => move(a, RAIL, n, 'deposit.reversed'),
  issue: (_: Account, __: Account, n: number) => move(FAUCET, DEMAND, n, 'issue'),
  withdraw: (a: Account, _: Account, n: number) => move(a, RAIL, n, 'withdraw'),
  upstream: (a: Account, _: Account, n: number) => move(a, RAIL, n, 'x402.pay'),
  gas: (a: Account, _: Account, n: number) => move(a, GAS, n, 'withdraw.fee'),
  pay: (a: Account, b: Account, n: number) => move(a, b, n, 'pay'),
  reward: (a: Account, b: Account, n: number) => move(a, b, n, 'task.reward'),
  house: (a: Account, _: Account, n: number) => move(DEMAND, a, n, 'task.reward'),
  sweep: (a: Account, b: Account, n: number) => move(a, b, n, 'sweep.evm'),
  fee: (a: Account, _: Account, n: number) => move(a, FEES, n, 'task.fee.hub'),
  houseFee: (_: Account, __: Account, n: number) => move(DEMAND, FEES, n, 'task.fee.hub'),
  burn: (a: Account, _: Account, n: number) => move(a, BURNED, n, 'stake.burn'),
  buyIn: (a: Account, _: Account, n: number) => move(a, POT, n, 'poker.buyin'),
  recirculate: (_: Account, __: Account, n: number) => move(FEES, DEMAND, n, 'recirculate'),
  refund: (a: Account, _: Account, n: number) => move(FEES, a, n, 'call.return'),
} as const;
const NAMES: readonly (keyof typeof KINDS)[] = [
  'faucet',
  'deposit',
  'topup',
  'reversed',
  'issue',
  'withdraw',
  'gas',
  'pay',
  'reward',
  'house',
  'sweep',
  'fee',
  'houseFee',
  'burn',
  'buyIn',
  'recirculate',
  'refund',
];
/** Amounts of sources are mostly larger than what is taken, so that most moves pass. */
const CHOICE = fc.record({
  kind: fc.constantFrom(...NAMES),
  from: fc.nat(3),
  to: fc.nat(3),
  amount: fc.integer({ min: 1, max: 5_000_000 }),
  gapMs: fc.oneof(fc.constant(0), fc.nat(90_000)),
  seals: fc.boolean(),
});

interface Line extends StatementEntry {
  readonly account: Account;
}

/** Every line of every account, fees by their shards, as statements show them. */
async function allLines(db: Reader): Promise<readonly Line[]> {
  const rows: readonly { readonly name: string; readonly shard: number | string }[] = await db
    .knex('accounts')
    .where(PLACE)
    .select('name', 'shard');
  const lines: Line[] = [];
  for (const row of rows) {
    const account = parseAccount(row.name) ?? assert.fail(row.name);
    let before: number | undefined = Number.MAX_SAFE_INTEGER;
    while (before !== undefined) {
      const page = { limit: STATEMENT_ENTRIES_MAX, before, shard: Number(row.shard) };
      const { entries, next } = await statement(db, account, PLACE, page);
      lines.push(...entries.map((entry) => ({ ...entry, account })));
      before = next;
    }
  }
  return lines;
}

const isUser = (name: Account | undefined): boolean => /^(key|evm):/.test(name ?? '');
const ofUsers = (name: Account): boolean => isUser(name) || name.startsWith('hub:pot:');
const isOutside = (name: Account): boolean => name.startsWith('external:');
const signedOf = ({ direction, amount }: Line): bigint => (direction === 'in' ? amount : -amount);

/** The figures once more, from their definitions and with nothing but addition. */
function bySupply(lines: readonly Line[], { from, to }: Span): Supply {
  const inside = lines.filter(({ at }) => at > from && at <= to);
  const total = (of: readonly Line[], counts: (line: Line) => boolean): bigint =>
    of.filter(counts).reduce((all, line) => all + signedOf(line), 0n);
  const outside = (...reasons: readonly Reason[]): bigint =>
    -total(inside, (line) => isOutside(line.account) && reasons.includes(line.reason));
  const got = (line: Line): boolean => line.direction === 'in';
  const reasons = [...new Set(inside.map(({ reason }) => reason))];
  return {
    supply: -total(lines, ({ account }) => isOutside(account)),
    supplyBefore: -total(lines, ({ account, at }) => isOutside(account) && at <= from),
    ofUsers: total(lines, ({ account }) => ofUsers(account)),
    ofUsersBefore: total(lines, ({ account, at }) => ofUsers(account) && at <= from),
    deposits: outside('deposit', 'x402.topup', 'deposit.reversed'),
    faucet: outside('faucet'),
    issued: outside('issue'),
    withdrawn: -total(
      inside,
      ({ account, reason }) => isUser(account) && /^(?:withdraw(?:\.fee)?|x402\.pay)$/.test(reason),
    ),
    burned: total(inside, (line) => line.account === BURNED && got(line)),
    feesTaken: total(inside, (line) => line.account === FEES && got(line)),
    recirculated: -total(inside, (l) => l.account === FEES && l.reason === 'recirculate'),
    moved: total(
      inside,
      (line) =>
        got(line) &&
        isUser(line.account) &&
        isUser(line.counterparty) &&
        line.reason !== 'sweep.evm',
    ),
    byReason: ORDER.filter((reason) => reasons.includes(reason)).map((reason) => {
      const of = inside.filter((line) => line.reason === reason);
      const count = new Set(of.map((line) => line.transferId)).size;
      return { reason, amount: total(of, got), count };
    }),
  };
}
const ORDER: readonly Reason[] = [
  'deposit',
  'deposit.reversed',
  'faucet',
  'issue',
  'x402.topup',
  'x402.pay',
  'withdraw',
  'withdraw.fee',
  'sweep.evm',
  'pay',
  'task.reward',
  'task.fee.hub',
  'stake.burn',
  'call.return',
  'poker.buyin',
  'recirculate',
];

const KEY = keyIdOf(new Uint8Array(32));

/** A block that ends with the newest transfer; only its place and time matter here. */
async function seal(tx: Writer, sealedAt: Instant): Promise<void> {
  const before = (await readSeal(tx, 'head'))?.seal;
  const newest = await newestTransfer(tx);
  if (newest === undefined || newest.seq === before?.body.toSeq) return;
  const link = before === undefined ? undefined : { ...before.body, digest: before.digest };
  const made = makeSeal([newest], link, { sealedAt, keyId: KEY }, () => new Uint8Array(64));
  await addSeal(tx, made, before, minuteOf(sealedAt));
}

const LONG = 100_000;
const BYSTANDERS = 5_000;

/** Many payments of 1 from one to the other among many accounts, behind the ledger's back. */
async function longJournal(
  tx: Writer,
  [a, b]: readonly [Account, Account],
  start: Instant,
): Promise<void> {
  const numbers = (count: number): string =>
    `WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${count}) SELECT n FROM c`;
  await tx.knex.raw(`INSERT INTO accounts (network, asset, name, class, shard, posted, held, seq)
    SELECT 'sandbox', 'USDC', 'evm:' || n, 'user', 0, 0, 0, 0 FROM (${numbers(BYSTANDERS)}) AS all_n`);
  await tx.knex.raw(`INSERT INTO transfers (id, network, asset, event, ref_kind, ref_id, actor, at)
    SELECT 'long ' || n, 'sandbox', 'USDC', 'test', 'test', '1', 'hub', ${start} + n
    FROM (${numbers(LONG)}) AS all_n ORDER BY n`);
  const side = (own: Account, other: Account, delta: number): string =>
    `INSERT INTO entries (account_id, account_seq, transfer_seq, kind, reason, counterparty, delta,
        posted_after, held_after, at)
      SELECT a.id, 10 + t.seq, t.seq, 'move', 'pay', '${other}', ${delta}, 0, 0, t.at
      FROM transfers t, accounts a WHERE t.id LIKE 'long %' AND a.name = '${own}'`;
  await tx.knex.raw(side(a, b, -1));
  await tx.knex.raw(side(b, a, 1));
}

const ROWS_READ_MAX = 50;

/** By the counters of PostgreSQL for this transaction, or by the plan that SQLite has. */
async function assertReadsLittle(db: Reader, span: Span): Promise<void> {
  const { dialect } = linkOf(db);
  if (dialect === 'postgres') {
    const readBefore = await rowsRead(db);
    await supplyIn(db, PLACE, span);
    const read = (await rowsRead(db)) - readBefore;
    assert.ok(read > 0 && read < ROWS_READ_MAX, `${read} rows read`);
    return;
  }
  const plans: string[] = [];
  let after = 0;
  const rows = async (text: Statement, values: readonly Value[]) => {
    if (text.sqlite.includes('e.transfer_seq > ?')) after = Number(values[2]);
    const plan: unknown = await db.knex.raw(
      `EXPLAIN QUERY PLAN ${text.sqlite}`,
      values.map(String),
    );
    plans.push(JSON.stringify(plan));
    return linkOf(db).rows(text, values);
  };
  await supplyIn({ ...db, [link]: { dialect, knex: db.knex, rows } }, PLACE, span);
  const steps = plans.flatMap((plan) => [...plan.matchAll(/(?:SCAN|SEARCH)[^"]*/g)].map(String));
  const journal = steps.filter((step) => /SEARCH e /.test(step));
  assert.deepEqual(journal, ['SEARCH e USING INDEX entries_transfer (transfer_seq>?)']);
  const newest = (await newestTransfer(db))?.seq ?? 0;
  assert.ok(newest - after < ROWS_READ_MAX, `transfers after ${after} of ${newest}`);
  const scans = steps.filter((step) => /^SCAN/.test(step));
  assert.deepEqual(scans, []);
}

async function rowsRead(db: Reader): Promise<number> {
  const answer: unknown = await db.knex.raw(`SELECT sum(seq_tup_read + idx_tup_fetch) AS total
    FROM pg_stat_xact_user_tables WHERE relname IN ('entries', 'transfers', 'accounts', 'seals')`);
  return Number(JSON.stringify(answer).match(/"total":"?(\d+)/)?.[1]);
}
