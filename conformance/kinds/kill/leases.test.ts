import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../clients/examples/freePort.ts';
import { openStore } from '../../../db/store.ts';
import { newAgent, type Agent, type Place } from '../../harness/agents.ts';
import { DATABASES } from '../../harness/databases.ts';
import { mustHaveConformed, mustOk } from '../../harness/must.ts';
import { until } from '../../harness/waiting.ts';
import { assertBooksBalance } from '../../ledger/auditor.ts';
import { act, money, type Body } from '../../tasks/_work.ts';
import { kill, nowAt, startFast } from '../../time/_fast.ts';
import { fundAll, FUNDS, KILLS } from './overKills.ts';

/** A minute of the hub in two seconds of the world: signatures stay valid for ten. */
const SPEED = 30;
/** Each lane has one requester, and for each claim a worker of its own. */
const LANES = 4;
const REWARD = 1_000;
const PAID = REWARD - 30;
/** The shortest lease there is; the claims of kept lanes last as long as their holder says so. */
const LEASE_SECONDS = 60;
const KEPT_SECONDS = 7_200;
const LEASE_MS = (LEASE_SECONDS * 1_000) / SPEED;
const BEAT_MS = 150;
const LIFE_MS_MIN = 1_000;
const LIFE_MS_MAX = 4_000;
const lifeMs = (n: number): number => LIFE_MS_MIN + ((n * 7919) % (LIFE_MS_MAX - LIFE_MS_MIN));

/** One claim as its holder knows it. */
interface Claim {
  readonly key: string;
  readonly requester: Agent;
  readonly worker: Agent;
  readonly isKept: boolean;
  taskId?: string;
  claimToken?: unknown;
  beats: number;
  isPaid: boolean;
}

/** Publishes and claims; every step may be sent again. */
async function begin(one: Claim): Promise<string> {
  const { key, requester, worker, isKept } = one;
  const task = mustOk(
    await requester.post('/api/v1/tasks', {
      requester: requester.account,
      title: 'Do it',
      rewardAmount: String(REWARD),
      acceptance: { kind: 'contains', values: ['done'] },
      disputeWindowSeconds: 0,
      leaseSeconds: isKept ? KEPT_SECONDS : LEASE_SECONDS,
      renewForSeconds: 86_400,
      idempotencyKey: key,
    }),
  );
  const id = (one.taskId = String(task['id']));
  const claimed = await act(worker, id, 'claim', { agentId: worker.account });
  one.claimToken = mustOk(claimed)['claimToken'];
  return id;
}

async function beat(one: Claim, id: string): Promise<void> {
  mustOk(await act(one.worker, id, 'start', { percent: one.beats % 100 }));
  one.beats += 1;
}

/** Delivers about when the lease ends: either the reward or the lapse is first. */
async function liveBriefly(one: Claim, n: number): Promise<void> {
  const id = await begin(one);
  for (let beats = n % 3; beats > 0; beats -= 1) {
    await sleep(BEAT_MS);
    await beat(one, id);
  }
  await sleep(LEASE_MS - 60 + ((n * 37) % 120));
  await deliver(one, id);
}

async function liveOn(one: Claim): Promise<void> {
  const id = one.claimToken === undefined ? await begin(one) : (one.taskId ?? '');
  for (;;) {
    await beat(one, id);
    await sleep(BEAT_MS);
  }
}

async function deliver(one: Claim, id: string): Promise<void> {
  const { claimToken, key } = one;
  const answer = await act(one.worker, id, 'submit', {
    claimToken,
    result: 'done',
    idempotencyKey: key,
  });
  assert.match(String(answer.body['code'] ?? answer.body['state']), /^(paid|lease-over)$/);
  if (answer.status === 200) one.isPaid = true;
}

/** Ends with the hub: calls fail then, and what a hub answers wrongly is kept. */
async function untilKilled(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
  }
}

/** A hub on one database that is killed and started again; what a test does with it ends with it. */
async function withHubs(
  databaseUrl: (folder: string) => Promise<string>,
  test: (place: Place, during: (work: () => Promise<unknown>) => Promise<void>) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hub-kill-'));
  const port = await freePort();
  const env = {
    HUB_DATABASE_URL: await databaseUrl(folder),
    HUB_DATA_DIR: folder,
    HUB_PORT: String(port),
    FAUCET_ENABLED: 'true',
  };
  const fast = { env, worldMs: Date.now(), speed: SPEED };
  const place = { url: `http://127.0.0.1:${port}`, clock: { now: () => nowAt(fast) } };
  await test(place, async (work) => {
    const hub = await startFast(fast);
    try {
      await work();
    } finally {
      await kill(hub);
    }
  });
  const store = await openStore(env.HUB_DATABASE_URL);
  await assertBooksBalance(store);
  await store.close();
  await rm(folder, { recursive: true, force: true });
  mustHaveConformed();
}

async function lives(place: Place, during: (work: () => Promise<unknown>) => Promise<void>) {
  const requesters = await Promise.all(Array.from({ length: LANES }, () => newAgent(place)));
  const claims: Claim[] = [];
  const claimOf = async (requester: Agent, key: string, isKept: boolean): Promise<Claim> => {
    const worker = await newAgent(place);
    const one = { key, requester, worker, isKept, beats: 0, isPaid: false };
    claims.push(one);
    return one;
  };
  const liveAll = (life: number): readonly Promise<void>[] => [
    ...requesters.map((requester, lane) =>
      untilKilled(async () => {
        for (let n = lane; ; n += 1) {
          await liveBriefly(await claimOf(requester, `${life}-${lane}-${n}`, false), n);
        }
      }),
    ),
    ...claims.filter(({ isKept }) => isKept).map((one) => untilKilled(() => liveOn(one))),
  ];
  for (let life = 0; life < KILLS; life += 1) {
    let living: readonly Promise<void>[] = [];
    await during(async () => {
      if (life === 0) await fundAll(place, requesters);
      await claimOf(requesters[life % LANES] ?? assert.fail(), `kept-${life}`, true);
      living = liveAll(life);
      await until(() => claims.every(({ isKept, beats }) => !isKept || beats > life));
      await sleep(lifeMs(life));
    });
    await Promise.all(living);
  }
  await during(async () => {
    await sleep(LEASE_MS);
    for (const one of claims) if (one.isKept) await deliver(one, one.taskId ?? '');
    await mustHaveEndedOnce(claims, requesters);
  });
}

/** Each claim has one end, in the books of its worker and of its requester as well. */
async function mustHaveEndedOnce(
  claims: readonly Claim[],
  requesters: readonly Agent[],
): Promise<void> {
  const spent = new Map<Agent, readonly [paid: number, open: number]>();
  let lapses = 0;
  for (const { requester, worker, taskId, claimToken, isKept, isPaid } of claims) {
    if (taskId === undefined) continue;
    const task = mustOk(await worker.get(`/api/v1/tasks/${taskId}`));
    const count = (name: string): number =>
      (task['history'] as Body[]).filter(({ event }) => event === name).length;
    const ends = [count('task.paid'), count('attempt.lapsed')];
    assert.equal(count('task.claimed'), (ends[0] ?? 0) + (ends[1] ?? 0), JSON.stringify(task));
    if (claimToken !== undefined) assert.equal(count('task.claimed'), 1);
    if (isKept || isPaid) assert.deepEqual(ends, [1, 0]);
    lapses += ends[1] ?? 0;
    const karma = mustOk(await worker.get(`/api/v1/passport/${worker.keyId}/karma`));
    const lost = (karma['entries'] as Body[]).filter(({ reason }) => reason === 'claim.lapsed');
    assert.equal(lost.length, ends[1], 'a lapse is counted once');
    assert.equal((await money(worker))[0], String((ends[0] ?? 0) * PAID));
    const [paid, open] = spent.get(requester) ?? [0, 0];
    spent.set(requester, [paid + (ends[0] ?? 0), open + (task['state'] === 'open' ? 1 : 0)]);
  }
  for (const requester of requesters) {
    const [paid = 0, open = 0] = spent.get(requester) ?? [];
    const [balance, held] = await money(requester);
    assert.deepEqual([balance, held], [FUNDS - paid * REWARD, open * REWARD].map(String));
  }
  assert.ok(lapses >= KILLS, `only ${lapses} lapses`);
}

describe('a hub that is killed between signs of life and the ends of claims', () => {
  for (const [title, databaseUrl] of DATABASES) {
    it(`ends each once over ${KILLS} kills (${title})`, async function run() {
      this.timeout(KILLS * 20_000 + 90_000);
      await withHubs(databaseUrl, lives);
    });
  }
});
