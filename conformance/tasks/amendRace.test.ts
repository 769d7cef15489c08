import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../clients/examples/freePort.ts';
import { generateKey } from '../../clients/typescript/sign.ts';
import { openStore } from '../../db/store.ts';
import { agentWith, type Agent, type Answer } from '../harness/agents.ts';
import { realClock } from '../harness/clock.ts';
import { DATABASES } from '../harness/databases.ts';
import { at, mustHaveConformed, mustOk } from '../harness/must.ts';
import { startProcess } from '../kinds/kill/process.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import { act, money, publish, type Body } from './_work.ts';

const ROUNDS = 50;
const ROUND_MS_MAX = 4_000;
const FUNDS = 1_000_000;
const REWARD = 2_000;
const RAISED = 3_000;
const RAISED_AGAIN = 4_000;
/** The worker's part of each agreed end, and what it is without the fee of the hub. */
const PART = 1_500;
const PAID = PART - 45;

/** One account as it calls each process; SQLite has one process, which takes the calls of both. */
type Party = readonly [here: Agent, there: Agent];

const amend = (by: Agent, id: string, body: Body): Promise<Answer> =>
  act(by, id, 'amendments', { by: by.account, ...body });
const raise = (by: Agent, id: string, amount: number): Promise<Answer> =>
  amend(by, id, { change: { rewardAmount: String(amount) } });
const split = (by: Agent, id: string, reward: number): Promise<Answer> =>
  amend(by, id, { split: { workerAmount: String(PART), refundAmount: String(reward - PART) } });

/** Raise, claim and split in one moment; then both accept while the reward is raised again. */
async function race(requester: Party, worker: Party, n: number): Promise<void> {
  const [here, there] = n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
  const { id } = await publish(requester[0], { rewardAmount: String(REWARD) });
  const claim = { agentId: worker[0].account };
  const [raised, claimed, early] = await Promise.all([
    raise(requester[here], id, RAISED),
    act(worker[there], id, 'claim', claim),
    split(worker[here], id, RAISED),
  ]);
  assert.equal(at(mustOk(raised), 'amendment', 'state'), 'applied');
  mustOk(claimed);
  oneOf(early, ['not-a-party', 'wrong-state', 'bad-shares']);
  const proposed = early.status === 200 ? early : await split(worker[there], id, RAISED);
  const accept = { accept: String(at(mustOk(proposed), 'amendment', 'id')) };
  const [first, second, more] = await Promise.all([
    amend(requester[here], id, accept),
    amend(requester[there], id, accept),
    raise(requester[here], id, RAISED_AGAIN),
  ]);
  for (const answer of [first, second]) oneOf(answer, ['decided', 'wrong-state']);
  oneOf(more, ['wrong-state']);
  const ends = [first, second].filter(({ status }) => status === 200).length;
  assert.equal(ends, more.status === 200 ? 0 : 1, 'a raise and an agreed end exclude each other');
  if (ends === 1) return;
  const last = mustOk(await split(worker[here], id, RAISED_AGAIN));
  mustOk(await amend(requester[there], id, { accept: String(at(last, 'amendment', 'id')) }));
}

function oneOf({ status, body, text }: Answer, codes: readonly string[]): void {
  assert.ok(status === 200 || codes.includes(String(body['code'])), text);
}

describe('a raise, a claim and an agreed end in the same moment', () => {
  for (const [name, databaseUrl] of DATABASES) {
    const count = name === 'SQLite' ? 1 : 2;
    it(`moves each amount once, ${ROUNDS} rounds on ${count} processes (${name})`, async function run() {
      this.timeout(ROUNDS * ROUND_MS_MAX);
      const folder = await mkdtemp(join(tmpdir(), 'hub-race-'));
      const env = {
        HUB_DATABASE_URL: await databaseUrl(folder),
        HUB_DATA_DIR: folder,
        HUB_RATE_LIMITS: 'false',
        FAUCET_ENABLED: 'true',
      };
      const start = async () => startProcess(env, await freePort());
      const first = await start();
      const hubs = count === 1 ? [first] : [first, await start()];
      const party = async (): Promise<Party> => {
        const key = await generateKey();
        const agents = hubs.map(({ url }) => agentWith({ url, clock: realClock() }, key));
        return [agents[0] ?? assert.fail(), agents.at(-1) ?? assert.fail()];
      };
      const [requester, worker] = [await party(), await party()];
      const credit = { amount: String(FUNDS), idempotencyKey: 'funds' };
      mustOk(await requester[0].post(`/api/v1/wallet/${requester[0].account}/credit`, credit));
      for (let n = 1; n <= ROUNDS; n += 1) {
        await race(requester, worker, n);
        const left = String(FUNDS - n * PART);
        for (const by of requester) assert.deepEqual(await money(by), [left, '0', left]);
        const paid = String(n * PAID);
        for (const by of worker) assert.deepEqual(await money(by), [paid, '0', paid]);
      }
      for (const hub of hubs) await hub.kill();
      const store = await openStore(env.HUB_DATABASE_URL);
      await assertBooksBalance(store);
      await store.close();
      await rm(folder, { recursive: true, force: true });
      mustHaveConformed();
    });
  }
});
