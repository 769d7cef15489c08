import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../clients/examples/freePort.ts';
import { generateKey } from '../../clients/typescript/sign.ts';
import { openStore } from '../../db/store.ts';
import { agentWith, visitor, type Agent } from '../harness/agents.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { at, mustOk } from '../harness/must.ts';
import { startProcess } from '../kinds/kill/process.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { chat, moneyOf, until } from './_desk.ts';
import {
  answerOf,
  localProvider,
  startUpstream,
  upstreamFile,
  type Upstream,
} from './_upstream.ts';

/** Money for ten calls, of which each may need 1,022, and almost for an eleventh. */
const FUNDS = `${10 * 1_022 + 1_021}`;
const SUITE_MS_MAX = 180_000;

/** Fifty calls of one account, in turn at its hubs. */
async function race(agents: readonly [Agent, Agent], upstream: Upstream): Promise<void> {
  let goOn = (): void => undefined;
  const wait = new Promise<void>((resolve) => (goOn = resolve));
  upstream.play(() => [{ wait }, ...answerOf(3, 11)]);
  let refused = 0;
  const calls = Array.from({ length: 50 }, async (_, n) => {
    const answer = await chat(agents[n % 2 === 0 ? 0 : 1]);
    if (answer.status === 400) refused += 1;
    return answer;
  });
  // All have been decided before the first of them gives money back.
  await until(() => upstream.asked.length === 10 && refused === 40);
  const money = await moneyOf(agents[0]);
  assert.deepEqual([money.held, money.spendable], [10_220n, 1_021n]);
  goOn();
  const answers = await Promise.all(calls);
  const outcomes = answers.map(({ body }) => at(body, 'receipt', 'outcome') ?? body['code']);
  const count = (outcome: string): number => outcomes.filter((each) => each === outcome).length;
  assert.deepEqual([count('completed'), count('insufficient-funds')], [10, 40]);
  assert.deepEqual(await moneyOf(agents[0]), { held: 0n, spendable: 11_241n - 10n * 52n });
  assert.equal(upstream.asked.length, 10);
}

hubsOnBothDatabases('calls of models at once', (open) => {
  it('admit as many as the money is for, at two hubs of one database', async () => {
    const upstream = await startUpstream();
    const file = upstreamFile([localProvider(upstream)], [upstream]);
    const [one, two] = [await open({ env: file.env }), await open({ env: file.env })];
    const secret = await generateKey();
    const agents = [agentWith(one.hub, secret), agentWith(two.hub, secret)] as const;
    await one.fund(agents[0], FUNDS);
    await race(agents, upstream);
    await upstream.close();
    file.remove();
  });
});

function processes(database: string, urlIn: (folder: string) => Promise<string>): void {
  it(`admit as many as the money is for, over two processes (${database})`, async function run() {
    this.timeout(SUITE_MS_MAX);
    const folder = await mkdtemp(join(tmpdir(), 'hub-race-'));
    const upstream = await startUpstream();
    const file = upstreamFile([localProvider(upstream)], [upstream]);
    const env = {
      ...file.env,
      HUB_DATABASE_URL: await urlIn(folder),
      HUB_DATA_DIR: folder,
      FAUCET_ENABLED: 'true',
    };
    const ports = [await freePort(), await freePort()] as const;
    const one = await startProcess(env, ports[0]);
    const two = await startProcess(env, ports[1]);
    const places = [one, two].map(({ url }) => ({ url, clock: { now: () => Date.now() } }));
    const [here, there] = places;
    assert.ok(here !== undefined && there !== undefined);
    const secret = await generateKey();
    const agents = [agentWith(here, secret), agentWith(there, secret)] as const;
    const credit = { amount: FUNDS, idempotencyKey: 'funds' };
    mustOk(await visitor(here).post(`/api/v1/wallet/${agents[0].account}/credit`, credit));
    await race(agents, upstream);
    await Promise.all([one.kill(), two.kill()]);
    const store = await openStore(env.HUB_DATABASE_URL);
    await assertBooksBalance(store);
    await store.close();
    await upstream.close();
    file.remove();
    await rm(folder, { recursive: true, force: true });
  });
}

describe('calls of models at once, of one account', () => {
  processes('SQLite', async (folder) => `sqlite:${join(folder, 'hub.sqlite')}`);
  processes('PostgreSQL', async () => (await sharedPostgres()).freshDatabase());
});
