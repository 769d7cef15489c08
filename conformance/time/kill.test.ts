import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedPostgres } from '../harness/databases.ts';
import { LENGTHS } from '../harness/lengths.ts';
import { freePort } from '../../clients/examples/freePort.ts';
import { mustHaveConformed } from '../harness/must.ts';
import { until } from '../harness/waiting.ts';
import { kill, startFast, type Place } from './_fast.ts';
import { digestOf, timeCalls, type TimeCalls } from './_site.ts';
import { mustBeChain, mustKeep, type StampPromise } from './_verify.ts';

const KILLS = LENGTHS.pulseKills;
const STAMPERS = 4;
const PROMISES_EACH_LIFE = 4;
/** A minute of the hub in 250 ms of the world. */
const SPEED = 240;
/** After what has to happen in a life happened. */
const LIFE_MS_MIN = 20;
const LIFE_MS_MAX = 400;
const POLL_MS = 50;

/**
 * How long the nth life goes on: spread over the range by a fixed walk, so that a failure can be
 * rerun.
 */
const lifeMs = (n: number): number => LIFE_MS_MIN + ((n * 7919) % (LIFE_MS_MAX - LIFE_MS_MIN));

/** Stamps without pause until the hub goes away, and keeps what was promised. */
async function stampUntilKilled(
  app: TimeCalls,
  name: string,
  promised: StampPromise[],
): Promise<void> {
  for (let n = 0; ; n += 1) {
    try {
      promised.push(await app.promise(digestOf(`${name} ${n}`)));
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
  }
}

/** Lives until enough was promised, every second time until the first promise has its pulse. */
async function live(
  app: TimeCalls,
  life: number,
  promised: readonly StampPromise[],
): Promise<void> {
  await until(() => promised.length > PROMISES_EACH_LIFE);
  if (life % 2 === 0) await reached(app, promised[0]?.body.minute ?? '');
  await sleep(lifeMs(life));
}

/** Waits for the pulse of a minute, or of a later one; one that never comes ends by the timeout. */
async function reached(app: TimeCalls, minute: string): Promise<void> {
  for (;;) {
    const { head } = (await app.now()).body;
    if (head !== undefined && head.minute >= minute) return;
    await sleep(POLL_MS);
  }
}

function killSuite(title: string, databaseUrl: (folder: string) => Promise<string>): void {
  it(`keeps every promise and one chain over ${KILLS} kills (${title})`, async function run() {
    this.timeout(KILLS * 20_000 + 90_000);
    const folder = await mkdtemp(join(tmpdir(), 'hub-kill-'));
    const port = await freePort();
    const place: Place = {
      env: {
        HUB_DATABASE_URL: await databaseUrl(folder),
        HUB_DATA_DIR: folder,
        HUB_PORT: String(port),
      },
      worldMs: Date.now(),
      speed: SPEED,
    };
    const app = timeCalls({ url: `http://127.0.0.1:${port}`, clock: { now: () => Date.now() } });
    const promises: StampPromise[] = [];
    for (let life = 0; life < KILLS; life += 1) {
      const hub = await startFast(place);
      const promised: StampPromise[] = [];
      const stamping = Array.from({ length: STAMPERS }, (_, n) =>
        stampUntilKilled(app, `${life} ${n}`, promised),
      );
      try {
        await live(app, life, promised);
      } finally {
        await kill(hub);
        await Promise.all(stamping);
      }
      promises.push(...promised);
    }
    const hub = await startFast(place);
    try {
      await mustHaveKept(app, promises);
    } finally {
      await kill(hub);
      await rm(folder, { recursive: true, force: true });
    }
    mustHaveConformed();
  });
}

async function mustHaveKept(app: TimeCalls, promises: readonly StampPromise[]): Promise<void> {
  assert.ok(promises.length > KILLS * STAMPERS, `only ${promises.length} promises`);
  const newest = promises
    .map(({ body }) => body.minute)
    .sort()
    .at(-1);
  await reached(app, newest ?? '');
  const chain = await app.chain();
  mustBeChain(chain);
  assert.ok(chain.length > KILLS / 2, `only ${chain.length} pulses`);
  assert.ok(chain.some(({ body }) => body.gap?.cause === 'down'));
  let late = 0;
  for (const promise of promises) {
    const { digest, pulse } = promise.body;
    const proof = await app.proof(digest, pulse);
    mustKeep(promise, proof);
    assert.deepEqual(proof.pulse, chain[proof.pulse.body.seq]);
    if (proof.late === true) late += 1;
  }
  assert.ok(late > 0 && late < promises.length, `${late} of ${promises.length} are late`);
}

describe('a hub that is killed among its pulses', () => {
  killSuite('SQLite', (folder) => Promise.resolve(`sqlite:${join(folder, 'hub.sqlite')}`));
  killSuite('PostgreSQL', async () => (await sharedPostgres()).freshDatabase());
});
