import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openSqliteConnection } from '../../db/sqliteConnection.ts';
import type { Agent, Answer } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { addressOf, query, startPostgres, type RunningPostgres } from '../harness/postgres.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';

/**
 * A database that is gone, that drops its connections, that is locked or full: callers get 503
 * `busy` with a time to come back, the log says it once a second, and when it is over the same hub
 * goes on. A payment that was answered is made, one that was refused is not, and sent again it is
 * made once.
 */
const PAYERS = 4;
const DOWN_MS = 1_500;
/** Far above what a refusal takes, far below what a caller would wait for a dead database. */
const AT_ONCE_MS = 8_000;

interface Outcome {
  readonly body: { readonly to: string; readonly amount: string; readonly idempotencyKey: string };
  readonly payer: Agent;
  readonly answer: Answer;
  readonly ms: number;
}

/** Resources that a test opened: they end with the test, also with one that failed. */
const opened: (() => Promise<unknown>)[] = [];
async function endAll(): Promise<void> {
  for (const end of opened.splice(0).reverse()) await end();
}

/** Makes payments one after the other from each payer, until stopped. */
function payments(payers: readonly Agent[], to: string) {
  const outcomes: Outcome[] = [];
  let going = true;
  const lanes = payers.map(async (payer) => {
    for (let n = 0; going; n += 1) {
      const body = { to, amount: '1', idempotencyKey: `load-${n}` };
      const began = performance.now();
      const answer = await payer.post(`/api/v1/wallet/${payer.account}/pay`, body);
      outcomes.push({ body, payer, answer, ms: performance.now() - began });
      if (answer.status !== 200) await sleep(20);
    }
  });
  const stop = async (): Promise<void> => {
    going = false;
    await Promise.all(lanes);
  };
  opened.push(stop);
  return { outcomes, stop };
}

const refusals = (outcomes: readonly Outcome[]): readonly Outcome[] =>
  outcomes.filter(({ answer }) => answer.status !== 200);

function mustBeBusy(answer: Answer): void {
  const body = mustRefuse(answer, 503, 'busy');
  assert.equal(answer.headers.get('retry-after'), '1');
  assert.equal(body['retryAfterSeconds'], 1);
}

/** Lines of the log as the hub writes them. */
function logOf({ hub }: Fixture): readonly string[] {
  const lines: string[] = [];
  const { log } = hub.running.hub;
  log.error = ((facts: unknown, text: string) => {
    lines.push(`${text} ${JSON.stringify(facts)}`);
  }) as typeof log.error;
  return lines;
}

async function openTown(databaseUrl: string, folder?: string) {
  const env = folder === undefined ? {} : { HUB_DATA_DIR: folder };
  const world = await openFixture({ databaseUrl, env });
  opened.push(() => world.close());
  const payers = await Promise.all(Array.from({ length: PAYERS }, () => world.agent()));
  for (const payer of payers) await world.fund(payer, '1000000');
  return { world, payers, to: world.alice.account };
}

/** Everything refused is sent again; then each payment was made once, and the books balance. */
async function mustRecover(world: Fixture, outcomes: readonly Outcome[]): Promise<void> {
  for (const { payer, body } of refusals(outcomes)) {
    mustOk(await payer.post(`/api/v1/wallet/${payer.account}/pay`, body));
  }
  const wallet = mustOk(await world.alice.get(`/api/v1/wallet/${world.alice.account}`));
  assert.equal(wallet['balance'], String(outcomes.length));
  await assertBooksBalance(world.hub.running.hub.store);
}

describe('a PostgreSQL that fails under load', function suite() {
  this.timeout(120_000);
  let server: RunningPostgres;
  before(async () => {
    server = await startPostgres();
  });
  afterEach(endAll);
  after(() => server.stop());

  it('restarted: 503 busy at once, one line a second, and the same hub goes on', async () => {
    const { world, payers, to } = await openTown(await server.freshDatabase());
    const lines = logOf(world);
    const load = payments(payers, to);
    await waitFor(() => load.outcomes.length > 20);
    const began = performance.now();
    await server.restart(DOWN_MS);
    const before = load.outcomes.length;
    await waitFor(() => load.outcomes.slice(before).some(({ answer }) => answer.status === 200));
    await load.stop();
    const seconds = (performance.now() - began) / 1_000;
    const refused = refusals(load.outcomes);
    assert.ok(refused.length > 0, 'the load met the outage');
    for (const { answer } of refused) mustBeBusy(answer);
    for (const { ms } of refused) assert.ok(ms < AT_ONCE_MS, `${ms} ms`);
    assert.ok(lines.length > 0 && lines.length <= seconds + 2, `${lines.length} in ${seconds} s`);
    for (const line of lines) assert.match(line, /^database unavailable \{"why":/);
    await mustRecover(world, load.outcomes);
  });

  it('killed backends: each caller gets 503 busy or is served, and the next is served', async () => {
    const { world, payers, to } = await openTown(await server.freshDatabase());
    logOf(world);
    const load = payments(payers, to);
    for (let round = 1; round <= 5; round += 1) {
      await waitFor(() => load.outcomes.length > 15 * round);
      await query(
        server.folder,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname LIKE 'test_%' AND pid <> pg_backend_pid()`,
      );
    }
    await load.stop();
    for (const { answer } of refusals(load.outcomes)) mustBeBusy(answer);
    await mustRecover(world, load.outcomes);
  });
});

/** Commits wait for a standby that does not exist, so each is kept here and not confirmed. */
const SYNCHRONOUS = ['wal_level=replica', 'max_wal_senders=2', 'synchronous_commit=on'];

describe('a PostgreSQL whose synchronous standby is away', function suite() {
  this.timeout(120_000);
  let server: RunningPostgres;
  before(async () => {
    server = await startPostgres(false, { settings: SYNCHRONOUS });
  });
  afterEach(endAll);
  after(() => server.stop());

  const setStandby = async (name: string): Promise<void> => {
    await query(server.folder, `ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await query(server.folder, 'SELECT pg_reload_conf()');
  };

  it('answers 503 for a payment whose commit was cut, and finds it under its key', async () => {
    const { world, payers, to } = await openTown(await server.freshDatabase());
    logOf(world);
    const [payer] = payers;
    assert.ok(payer !== undefined);
    const path = `/api/v1/wallet/${payer.account}/pay`;
    const body = { to, amount: '1000', idempotencyKey: 'unconfirmed' };
    // The rows of both accounts are there, so the payment is one transaction.
    mustOk(await payer.post(path, { ...body, idempotencyKey: 'confirmed' }));
    const address = addressOf(server.folder, 'postgres');
    await setStandby('absent');
    const paying = payer.post(path, body);
    let isAnswered = false;
    void paying.then(() => (isAnswered = true));
    const admin = new pg.Client({ connectionString: address });
    await admin.connect();
    while (!isAnswered) {
      await admin.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
      );
      await sleep(20);
    }
    await admin.end();
    const answer = await paying;
    mustBeBusy(answer);
    assert.match(String((answer.body as { error: string }).error), /may have counted/);
    await setStandby('');
    const again = mustOk(await payer.post(path, body));
    assert.equal(again['repeated'], true);
    const wallet = mustOk(await world.alice.get(`/api/v1/wallet/${world.alice.account}`));
    assert.equal(wallet['balance'], '2000');
  });
});

describe('a SQLite that fails under load', function suite() {
  this.timeout(120_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hub-outage-'));
  });
  afterEach(endAll);
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('locked by another process: 503 busy within seconds, and served after it', async () => {
    const path = join(folder, 'hub.sqlite');
    const { world, payers, to } = await openTown(`sqlite:${path}`, folder);
    const lines = logOf(world);
    const other = await openSqliteConnection(path, 'copy');
    await other.exec('BEGIN IMMEDIATE');
    const load = payments(payers, to);
    await waitFor(() => load.outcomes.length > 3 * PAYERS);
    mustOk(await world.anyone.get('/api/v1/tasks'));
    for (const { answer, ms } of load.outcomes) {
      mustBeBusy(answer);
      assert.ok(ms < AT_ONCE_MS, `${ms} ms`);
    }
    await other.exec('ROLLBACK');
    await other.close();
    await waitFor(() => load.outcomes.some(({ answer }) => answer.status === 200));
    await load.stop();
    assert.ok(lines.every((line) => line.startsWith('database unavailable')));
    await mustRecover(world, load.outcomes);
  });

  it('full: 503 busy for writes, reads go on, and served when there is room', async () => {
    const { world, payers, to } = await openTown(`sqlite:${join(folder, 'hub.sqlite')}`, folder);
    logOf(world);
    const { store } = world.hub.running.hub;
    const room = (pages: number) =>
      store.write(async ({ knex }) => void (await knex.raw(`PRAGMA max_page_count = ${pages}`)));
    await room(1);
    const load = payments(payers, to);
    await waitFor(() => refusals(load.outcomes).length > PAYERS);
    mustOk(await world.anyone.get('/api/v1/tasks'));
    for (const { answer } of refusals(load.outcomes)) mustBeBusy(answer);
    await room(1_000_000);
    const before = load.outcomes.length;
    await waitFor(() => load.outcomes.slice(before).some(({ answer }) => answer.status === 200));
    await load.stop();
    await mustRecover(world, load.outcomes);
  });
});

async function waitFor(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(10);
}
