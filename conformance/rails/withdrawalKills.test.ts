import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newAgent, type Agent } from '../harness/agents.ts';
import { accountAt, startChain, type Chain } from '../harness/chain/anvil.ts';
import { chainEnv, TREASURY } from '../harness/chain/hub.ts';
import { fakeClock } from '../harness/clock.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { startHub, type TestHub } from '../harness/hub.ts';
import { LENGTHS } from '../harness/lengths.ts';
import { mustHaveConformed, mustOk } from '../harness/must.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import { walletPath } from '../wallet/_signed.ts';
import { faultyChain } from './faults.ts';

/**
 * The hub dies at every step between the hold and the confirmation, on a chain that drops, reorders
 * and replaces: every withdrawal is paid once or not at all, and nothing comes back that left.
 */
const KILLS = LENGTHS.railKills;
/** Questions to the chain and units of work of one withdrawal; later kills start over. */
const STEPS = 24;
const JOBS = ['hotWallet', 'withdrawals'] as const;
const ROUNDS_MAX = 40;
const STARTING = 500_000_000n;

class Killed extends Error {
  override readonly name = 'Killed';
}

/** A process that dies before its n-th step, or after it and before the answer is delivered. */
function mortal(): {
  arm(step: number, late: boolean): void;
  revive(): void;
  /** Only steps of this work count. */
  during(work: () => Promise<void>): Promise<void>;
  step<T>(work: () => Promise<T>): Promise<T>;
  readonly isDead: boolean;
} {
  let [left, late, dead, counting] = [Infinity, false, false, false];
  return {
    arm(step, isLate) {
      [left, late, dead] = [step, isLate, false];
    },
    revive() {
      [left, dead] = [Infinity, false];
    },
    async during(work) {
      counting = true;
      await work();
      counting = false;
    },
    async step(work) {
      if (dead) throw new Killed('dead');
      if (!counting) return work();
      left -= 1;
      if (left > 0) return work();
      if (late) await work();
      dead = true;
      throw new Killed('killed');
    },
    get isDead() {
      return dead;
    },
  };
}

function suite(title: string, databaseUrl: (folder: string) => Promise<string>): void {
  it(`pays once over ${KILLS} kills (${title})`, async function run() {
    this.timeout(60_000 + KILLS * 10_000);
    const folder = mkdtempSync(join(tmpdir(), 'hub-rails-'));
    const chain = await startChain();
    const life = mortal();
    const chaos = faultyChain();
    const clock = fakeClock(Date.now());
    const url = await databaseUrl(folder);
    let hub: TestHub;
    const place = { url: '', clock };
    const open = async (): Promise<void> => {
      hub = await startHub({
        databaseUrl: url,
        clock,
        env: { HUB_NETWORK: 'base', HUB_DATA_DIR: folder, ...chainEnv(chain, folder) },
        wrapChain: (port) => chaos.wrap(port),
      });
      place.url = hub.url;
      const { store, chains } = hub.running.hub;
      const write = store.write.bind(store);
      Object.assign(store, { write: (work: never) => life.step(() => write(work)) });
      const port = await chains.port('base');
      for (const [name, value] of Object.entries(port)) {
        if (typeof value !== 'function') continue;
        const call = value as (...given: readonly unknown[]) => Promise<unknown>;
        Object.assign(port, { [name]: (...given: unknown[]) => life.step(() => call(...given)) });
      }
    };
    await open();
    const agent = await newAgent(place);
    await fundAgent(chain, () => hub, agent);
    await chain.mint(TREASURY.address, STARTING);
    const receiver = accountAt(2).address;
    let expected = 0n;
    let deaths = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const amount = 1_000_000n + BigInt(kill);
      await upset(chain, chaos.faults, kill);
      const body = { address: receiver, amount: String(amount), idempotencyKey: `kill-${kill}` };
      const asked = mustOk(await agent.post(`${walletPath(agent)}/withdraw`, body));
      life.arm(1 + (kill % STEPS), Math.floor(kill / STEPS) % 2 === 1 || kill % 3 === 0);
      const state = await untilEnded({
        agent,
        id: String(asked['id']),
        async round(n) {
          await life.during(async () => {
            for (const job of JOBS) await hub.runJob(job);
          });
          if (life.isDead) {
            deaths += 1;
            life.revive();
            await hub.close();
            await open();
          }
          if (n > 2) await calm(chain, chaos.faults);
          clock.advance(20);
          await chain.mine(1);
        },
      });
      life.revive();
      assert.equal(state, 'confirmed', `kill ${kill}`);
      expected += amount - 10_000n;
      assert.equal(await chain.balanceOf(receiver), expected, `kill ${kill}`);
    }
    assert.ok(deaths >= (KILLS * 3) / 4, `the hub died only ${deaths} times`);
    const wallet = mustOk(await agent.get(walletPath(agent)));
    const left = STARTING - expected - BigInt(KILLS) * 10_000n;
    assert.deepEqual([wallet['balance'], wallet['spendable']], [String(left), String(left)]);
    await assertBooksBalance(hub!.running.hub.store);
    await hub!.close();
    await chain.stop();
    rmSync(folder, { recursive: true, force: true });
    mustHaveConformed();
  });
}

async function fundAgent(chain: Chain, hub: () => TestHub, agent: Agent): Promise<void> {
  const made = mustOk(await agent.post(`${walletPath(agent)}/deposit-address`));
  await chain.mint(made['address'] as `0x${string}`, STARTING);
  await hub().runJob('deposits');
  await chain.mine(7);
  await hub().runJob('deposits');
}

/** Applies the faults of a chain, by a fixed walk so that a failure can be run again. */
async function upset(
  chain: Chain,
  faults: ReturnType<typeof faultyChain>['faults'],
  kill: number,
): Promise<void> {
  await calm(chain, faults);
  const kind = kill % 5;
  if (kind === 1) faults.swallows = true;
  if (kind === 2) faults.losesAnswers = true;
  if (kind === 3) await chain.client.setAutomine(false);
  if (kind === 4) faults.busy = true;
}

async function calm(chain: Chain, faults: ReturnType<typeof faultyChain>['faults']): Promise<void> {
  delete faults.swallows;
  delete faults.losesAnswers;
  delete faults.busy;
  await chain.client.setAutomine(true);
}

async function untilEnded(one: {
  readonly agent: Agent;
  readonly id: string;
  round(n: number): Promise<void>;
}): Promise<unknown> {
  for (let n = 0; n < ROUNDS_MAX; n += 1) {
    await one.round(n);
    const path = `${walletPath(one.agent)}/withdrawals?limit=1`;
    const page = mustOk(await one.agent.get(path));
    const [row] = page['withdrawals'] as { id: string; state: string }[];
    assert.equal(row?.id, one.id);
    if (row.state !== 'pending') return row.state;
  }
  return 'pending';
}

describe('a hub that is killed while money leaves', () => {
  suite('SQLite', async (folder) => `sqlite:${join(folder, 'hub.sqlite')}`);
  suite('PostgreSQL', async () => (await sharedPostgres()).freshDatabase());
});
