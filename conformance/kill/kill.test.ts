import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../db/store.ts';
import { newAgent, visitor, type Agent, type Answer } from '../harness/agents.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { LENGTHS } from '../harness/lengths.ts';
import { freePort } from '../../clients/examples/freePort.ts';
import { at, mustHaveConformed, mustOk } from '../harness/must.ts';
import { until } from '../harness/waiting.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import { startProcess } from './process.ts';

const KILLS = LENGTHS.kills;
const PAYERS = 6;
const FUNDS = 1_000_000;
const TOLD_EACH_LIFE = 2;
const LIFE_MS_MIN = 10;
const LIFE_MS_MAX = 300;

/** What a payer knows of one pay: the key it kept before the first send, and what it was told. */
interface Sent {
  readonly key: string;
  readonly payer: Agent;
  readonly to: string;
  transferId?: unknown;
}

/**
 * How long the nth life goes on once a pay was told: spread over the range by a fixed walk, so that
 * a failure can be rerun.
 */
const lifeMs = (n: number): number => LIFE_MS_MIN + ((n * 7919) % (LIFE_MS_MAX - LIFE_MS_MIN));

function isTold({ transferId }: Sent): boolean {
  return transferId !== undefined;
}

function pay({ key, payer, to }: Sent): Promise<Answer> {
  const body = { to, amount: '1', idempotencyKey: key };
  return payer.post(`/api/v1/wallet/${payer.account}/pay`, body);
}

/** Pays without pause until the hub goes away; what was not answered stays unknown. */
async function payUntilKilled(payer: Agent, to: string, life: number, sent: Sent[]): Promise<void> {
  for (let n = 0; ; n += 1) {
    const one: Sent = { key: `life-${life}-${n}`, payer, to };
    sent.push(one);
    try {
      one.transferId = mustOk(await pay(one))['transferId'];
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
  }
}

async function statementCount(agent: Agent): Promise<number> {
  let count = 0;
  for (let before: unknown; ;) {
    const cursor = before === undefined ? '' : `&after=${String(before)}`;
    const path = `/api/v1/wallet/${agent.account}/statement?limit=200${cursor}`;
    const page = mustOk(await agent.get(path));
    const entries = page['entries'] as readonly { readonly reason: string }[];
    count += entries.filter((entry) => entry.reason === 'pay').length;
    before = page['next'];
    if (before === undefined) return count;
  }
}

function killSuite(title: string, databaseUrl: (folder: string) => Promise<string>): void {
  it(`loses and repeats no acknowledged movement over ${KILLS} kills (${title})`, async function run() {
    this.timeout(KILLS * 20_000 + 60_000);
    const folder = await mkdtemp(join(tmpdir(), 'hub-kill-'));
    const env = {
      HUB_DATABASE_URL: await databaseUrl(folder),
      HUB_DATA_DIR: folder,
      HUB_RATE_LIMITS: 'false',
      FAUCET_ENABLED: 'true',
    };
    const port = await freePort();
    const place = { url: `http://127.0.0.1:${port}`, clock: { now: () => Date.now() } };
    const payers = await Promise.all(Array.from({ length: PAYERS }, () => newAgent(place)));
    const sent: Sent[] = [];

    for (let life = 0; life < KILLS; life += 1) {
      const hub = await startProcess(env, port);
      if (life === 0) await fundAll(place, payers);
      const now: Sent[] = [];
      const paying = payers.map((payer, n) =>
        payUntilKilled(payer, payers[(n + 1) % PAYERS]?.account ?? '', life, now),
      );
      await until(() => now.filter(isTold).length >= TOLD_EACH_LIFE);
      await new Promise((resolve) => setTimeout(resolve, lifeMs(life)));
      await hub.kill();
      await Promise.all(paying);
      sent.push(...now);
    }

    const hub = await startProcess(env, port);
    const told = sent.filter(isTold);
    assert.ok(told.length > KILLS, `only ${told.length} pays were acknowledged`);
    const unknown = sent.filter((one) => !isTold(one));
    // An acknowledged pay is there: its key answers the same transfer, as a repeat.
    for (const one of told) {
      const again = mustOk(await pay(one));
      assert.deepEqual([again['transferId'], again['repeated']], [one.transferId, true]);
    }
    // One whose answer was lost moves exactly once, whether it had been committed or not.
    for (const one of unknown) mustOk(await pay(one));
    for (const one of unknown) assert.equal(mustOk(await pay(one))['repeated'], true);
    for (const payer of payers) {
      const own = sent.filter((one) => one.payer === payer).length;
      const got = sent.filter((one) => one.to === payer.account).length;
      assert.equal(await statementCount(payer), own + got);
      const wallet = mustOk(await payer.get(`/api/v1/wallet/${payer.account}`));
      assert.equal(wallet['balance'], String(FUNDS - own + got));
    }
    const proof = mustOk(await visitor(place).get('/api/v1/economy/conservation'));
    assert.equal(at(proof, 'balanced'), true);
    await hub.kill();
    const store = await openStore(env.HUB_DATABASE_URL);
    await assertBooksBalance(store);
    await store.close();
    await rm(folder, { recursive: true, force: true });
    mustHaveConformed();
  });
}

async function fundAll(
  place: { readonly url: string; readonly clock: { now(): number } },
  payers: readonly Agent[],
): Promise<void> {
  for (const payer of payers) {
    const body = { amount: String(FUNDS), idempotencyKey: 'funds' };
    mustOk(await visitor(place).post(`/api/v1/wallet/${payer.account}/credit`, body));
  }
}

describe('a hub that is killed under signed load', () => {
  killSuite('SQLite', async (folder) => `sqlite:${join(folder, 'hub.sqlite')}`);
  killSuite('PostgreSQL', async () => (await sharedPostgres()).freshDatabase());
});
