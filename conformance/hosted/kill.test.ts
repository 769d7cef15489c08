import assert from 'node:assert/strict';
import type { Store } from '../../db/store.ts';
import type { Agent, Answer } from '../harness/agents.ts';
import { visitor } from '../harness/agents.ts';
import { DATABASES } from '../harness/databases.ts';
import { at, mustHaveConformed, mustOk } from '../harness/must.ts';
import { until } from '../harness/waiting.ts';
import type { HubProcess } from '../kinds/kill/process.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import {
  callJob,
  expireCalls,
  isConnected,
  moneyOf,
  openKilledWorld,
  PRICE,
  receiptIn,
  type HostedListing,
  type KilledWorld,
} from './_killed.ts';

/**
 * A hub that dies between the steps of a forwarded paid call: no account is charged twice, or for a
 * call whose end is unknown, and agents that connected out connect again.
 */
const SUITE_MS_MAX = 60_000;
const FUNDS = PRICE * 20n;
/** As many as the hub makes to one host at once. */
const CALLS_TO_A_HOST = 6;

interface Step {
  readonly title: string;
  /** Brings the calls to the step, and answers when they are there. */
  readonly reach: (world: KilledWorld, calls: () => readonly Calling[]) => Promise<Reached>;
  /** How often the agent began the work before the kill. */
  readonly worked: number;
  /** Nothing of it was kept, so the same key is a new call. */
  readonly isNothing?: true;
  /** Without an agent at the other end, a connected call waits in the hub. */
  readonly isAway?: true;
}
interface Calling {
  readonly listing: HostedListing;
  readonly answer: Promise<Answer | undefined>;
}
interface Reached {
  /** Removes the obstacle; called once the hub is dead. */
  letGo(): Promise<void>;
}

const STEPS: readonly Step[] = [
  {
    title: 'before money is held',
    worked: 0,
    isNothing: true,
    async reach(world, calls) {
      const lock = await lockCalls(world.store);
      calls();
      await arrived(world, lock);
      return lock;
    },
  },
  {
    title: 'when money is held and nothing is forwarded',
    worked: 0,
    isAway: true,
    async reach(world, calls) {
      const letGo = await occupyHost(world);
      const count = calls().length;
      await until(async () => (await running(world.store)) === count);
      await until(async () => (await letters(world.store)) >= 1);
      return { letGo };
    },
  },
  {
    title: 'when it is forwarded and not answered',
    worked: 1,
    async reach(world, calls) {
      const letGo = world.hold();
      const before = world.listings.map(world.worked);
      calls();
      await until(() => world.listings.every((each, n) => world.worked(each) > (before[n] ?? 0)));
      return { letGo: async () => letGo() };
    },
  },
  {
    title: 'when it is answered and not charged',
    worked: 1,
    async reach(world, calls) {
      const answer = world.hold();
      const before = world.listings.map(world.worked);
      calls();
      await until(() => world.listings.every((each, n) => world.worked(each) > (before[n] ?? 0)));
      const lock = await lockCalls(world.store);
      answer();
      await arrived(world, lock);
      return lock;
    },
  },
];

interface Lock extends Reached {
  /** How many units of work wait for it; undefined where the database does not say. */
  waiting(): Promise<number | undefined>;
}

/**
 * No other process begins, charges or returns a call while the lock is held. On PostgreSQL none
 * reads a hosted agent, which a paid call does before it begins and before it ends, so that the hub
 * is killed before it has sent a statement that commits by itself.
 */
async function lockCalls(store: Store): Promise<Lock> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let taken = (): void => undefined;
  const isTaken = new Promise<void>((resolve) => (taken = resolve));
  const holding = store.write(async (tx) => {
    // SQLite has one writer, which is this one from its first write on.
    if (store.dialect === 'sqlite') await tx.knex('calls').where({ id: '' }).update({ why: '' });
    else await tx.knex.raw('LOCK TABLE hosted_agents IN ACCESS EXCLUSIVE MODE');
    taken();
    await released;
  });
  await isTaken;
  return {
    async waiting() {
      if (store.dialect === 'sqlite') return undefined;
      const rows: unknown = await store.read((db) =>
        db.knex('pg_locks').where({ granted: false }).count({ count: '*' }),
      );
      return Number(at(rows, 0, 'count'));
    },
    async letGo() {
      release();
      await holding;
    },
  };
}

/**
 * A unit has come to the lock, alone or in one batch with the others; on SQLite, the hub has had the
 * time to bring it there.
 */
async function arrived({ place }: KilledWorld, lock: Lock): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) mustOk(await visitor(place).get('/api/v1'));
  await until(async () => ((await lock.waiting()) ?? 1) >= 1);
}

/** Every place of the dialled agent's host is taken, so the next call to it waits in the hub. */
async function occupyHost({ place, agent, listings }: KilledWorld): Promise<() => Promise<void>> {
  const path = `/api/v1/hosted/${String(listings[0]?.holder.keyId)}/call`;
  let free = (): void => undefined;
  const isFree = new Promise<void>((resolve) => (free = resolve));
  const serve = agent.tools.get('free');
  agent.tools.set('free', async (_, reply) => {
    await isFree;
    reply.result({ content: [] });
  });
  const before = agent.calls.length;
  const visits = Array.from({ length: CALLS_TO_A_HOST }, () =>
    visitor(place)
      .post(path, { tool: 'free' })
      .catch(() => undefined),
  );
  await until(() => agent.calls.length === before + CALLS_TO_A_HOST);
  return async () => {
    free();
    if (serve !== undefined) agent.tools.set('free', serve);
    await Promise.all(visits);
  };
}

async function running(store: Store): Promise<number> {
  return (await store.read((db) => db.knex('calls').where({ outcome: 'running' }))).length;
}

async function letters(store: Store): Promise<number> {
  return (await store.read((db) => db.knex('hosted_letters').where({ is_taken: 0 }))).length;
}

for (const [database, url] of DATABASES) {
  describe(`a hub that is killed while it forwards (${database})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: KilledWorld;
    before(async () => {
      world = await openKilledWorld(url);
    });
    after(async () => {
      await assertBooksBalance(world.store);
      await world.close();
      mustHaveConformed();
    });

    let clean: (() => Promise<unknown>)[] = [];
    afterEach(async () => {
      for (const end of clean.reverse()) await end();
      clean = [];
    });
    const started = async (): Promise<HubProcess> => {
      const hub = await world.start();
      clean.push(() => hub.kill());
      return hub;
    };

    for (const [nth, step] of STEPS.entries()) {
      it(`${step.title}: charges nothing, and the next call once`, async () => {
        const hub = await started();
        const connectAll = (): void => {
          for (const each of world.listings.filter(({ via }) => via === 'connect')) {
            const connection = each.connect(world.place);
            clean.push(() => connection.stop());
          }
        };
        if (step.isAway !== true) connectAll();
        for (const { holder, via } of world.listings) {
          if (via === 'connect') await isConnected(world.place, holder);
        }
        const callers: readonly Agent[] = [await world.funded(FUNDS), await world.funded(FUNDS)];
        const keyOf = (what: string): string => `${what}-${nth}`;
        const earned = await Promise.all(world.listings.map(({ holder }) => moneyOf(holder)));
        const worked = world.listings.map(world.worked);
        const callAll = (what: string): readonly Calling[] =>
          world.listings.map((listing, n) => {
            const caller = callers[n] as Agent;
            return { listing, answer: callJob(caller, listing, keyOf(what)) };
          });
        let calling: readonly Calling[] = [];
        const { letGo } = await step.reach(world, () => (calling = callAll('cut')));
        clean.push(letGo);
        await hub.kill();
        for (const { answer } of calling) {
          // SQLite may have answered before that another connection has the writer.
          assert.ok([undefined, 503].includes((await answer)?.status), 'no answer came');
        }
        await letGo();
        await expireCalls(world.store);

        await started();
        if (step.isAway === true) connectAll();

        for (const [n, caller] of callers.entries()) {
          await until(async () => (await moneyOf(caller)).held === 0n);
          assert.equal((await moneyOf(caller)).balance, FUNDS, 'nothing was charged');
          assert.equal((await moneyOf(holderOf(world, n))).balance, earned[n]?.balance);
        }
        const served = step.isNothing === true ? 'cut' : 'next';
        if (step.isNothing !== true) {
          for (const { answer } of callAll('cut')) {
            const repeat = mustOk((await answer) as Answer);
            const { outcome, cost } = repeat['receipt'] as Record<string, unknown>;
            assert.deepEqual([outcome, cost, repeat['repeated']], ['unknown', '0', true]);
          }
        }
        await callable(world);
        const before = world.listings.map(world.worked);
        for (const [n, listing] of world.listings.entries()) {
          // A forwarded call is forwarded once, also when it is repeated.
          const times = (before[n] ?? 0) - (worked[n] ?? 0);
          // A letter that waited is handed out for a moment after its caller was killed.
          const may = step.isAway === true && listing.via === 'connect' ? [0, 1] : [step.worked];
          assert.ok(may.includes(times), `${times} times`);
          assert.equal(world.worked(listing), before[n]);
        }
        for (const what of [served, served]) {
          for (const { answer } of callAll(what)) {
            const { outcome, cost } = receiptIn(await answer);
            assert.deepEqual([outcome, cost], ['served', `${PRICE}`]);
          }
        }
        for (const [n, caller] of callers.entries()) {
          assert.deepEqual(await moneyOf(caller), { balance: FUNDS - PRICE, held: 0n });
          const { balance } = await moneyOf(holderOf(world, n));
          assert.equal(balance - (earned[n]?.balance ?? 0n), PRICE);
        }
      });
    }
  });
}

function holderOf({ listings }: KilledWorld, n: number): Agent {
  const listing = listings[n];
  if (listing === undefined) throw new Error('no such listing');
  return listing.holder;
}

/** Every agent answers a free call again. */
async function callable({ place, listings }: KilledWorld): Promise<void> {
  for (const { holder } of listings) {
    await until(async () => {
      const path = `/api/v1/hosted/${holder.keyId}/call`;
      const answer = mustOk(await visitor(place).post(path, { tool: 'free' }));
      return answer['outcome'] === 'served';
    });
  }
}
