import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../../db/store.ts';
import { freePort } from '../../../clients/examples/freePort.ts';
import { newAgent, visitor, type Agent, type Place } from '../../harness/agents.ts';
import { LENGTHS } from '../../harness/lengths.ts';
import { mustHaveConformed, mustOk } from '../../harness/must.ts';
import { until } from '../../harness/waiting.ts';
import { assertBooksBalance } from '../../ledger/auditor.ts';
import { startProcess } from './process.ts';

export const KILLS = LENGTHS.kills;
const ACKNOWLEDGED_EACH_LIFE = 2;
const LIFE_MS_MIN = 10;
const LIFE_MS_MAX = 300;
/** Atomic units that every agent begins with. */
export const FUNDS = 1_000_000;

/** The work of one life of the hub, until it is killed. */
interface Working {
  /** How much was acknowledged so far. */
  readonly acknowledged: () => number;
  /** Ends once the hub is gone. */
  readonly over: Promise<unknown>;
}
export interface Work {
  readonly agents: number;
  begin(agents: readonly Agent[], life: number): Working;
  /** After the last kill, on a hub that goes on. */
  check(place: Place, agents: readonly Agent[]): Promise<void>;
}

/** Returns how long the nth life lasts after its first acknowledgement, the same in every run. */
const lifeMs = (n: number): number => LIFE_MS_MIN + ((n * 7919) % (LIFE_MS_MAX - LIFE_MS_MIN));

/** Kills a hub in the middle of work, again and again; the books balance at the end. */
export async function overKills(
  databaseUrl: (folder: string) => Promise<string>,
  { agents: count, begin, check }: Work,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hub-kill-'));
  const env = {
    HUB_DATABASE_URL: await databaseUrl(folder),
    HUB_DATA_DIR: folder,
    HUB_RATE_LIMITS: 'false',
    FAUCET_ENABLED: 'true',
  };
  const port = await freePort();
  const place = { url: `http://127.0.0.1:${port}`, clock: { now: () => Date.now() } };
  const agents = await Promise.all(Array.from({ length: count }, () => newAgent(place)));
  for (let life = 0; life < KILLS; life += 1) {
    const hub = await startProcess(env, port);
    if (life === 0) await fundAll(place, agents);
    const working = begin(agents, life);
    await until(() => working.acknowledged() >= ACKNOWLEDGED_EACH_LIFE);
    await new Promise((resolve) => setTimeout(resolve, lifeMs(life)));
    await hub.kill();
    await working.over;
  }
  const hub = await startProcess(env, port);
  await check(place, agents);
  await hub.kill();
  const store = await openStore(env.HUB_DATABASE_URL);
  await assertBooksBalance(store);
  await store.close();
  await rm(folder, { recursive: true, force: true });
  mustHaveConformed();
}

/** Gives every agent its funds, once. */
export async function fundAll(place: Place, agents: readonly Agent[]): Promise<void> {
  for (const { account } of agents) {
    const body = { amount: String(FUNDS), idempotencyKey: 'funds' };
    mustOk(await visitor(place).post(`/api/v1/wallet/${account}/credit`, body));
  }
}
