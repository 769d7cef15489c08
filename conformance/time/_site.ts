import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '../../domain/instant.ts';
import { visitor, type Answer, type Place } from '../harness/agents.ts';
import { fakeClock, realClock, type FakeClock } from '../harness/clock.ts';
import { DATABASES } from '../harness/databases.ts';
import { startHub, type TestHub } from '../harness/hub.ts';
import { mustHaveConformed, mustOk } from '../harness/must.ts';
import {
  sha256,
  type Pulse,
  type SignedTime,
  type StampPromise,
  type StampProof,
} from './_verify.ts';

/** The unsigned calls of the time app. */
export interface TimeCalls {
  get(path: string): Promise<Answer>;
  now(nonce?: string): Promise<SignedTime>;
  /** Asks for a stamp, whatever the answer is. */
  stamp(digest: unknown): Promise<Answer>;
  promise(digest: string): Promise<StampPromise>;
  /** Asks for a proof, whatever the answer is. */
  ask(digest: string, pulse?: string | number): Promise<Answer>;
  proof(digest: string, pulse?: string | number): Promise<StampProof>;
  pulse(seq: number | 'head'): Promise<Pulse>;
  /** Every pulse from the first to the head. */
  chain(): Promise<readonly Pulse[]>;
}
/** A hub in this process, whose time the test moves. */
export interface TimeApp extends TimeCalls {
  readonly hub: TestHub;
  /** Runs the job that issues what is due. */
  issue(): Promise<void>;
  /** Lets a minute pass and issues its pulse. */
  minute(): Promise<void>;
}

export function timeApp(hub: TestHub): TimeApp {
  return { hub, ...timeCalls(hub), ...driving(hub) };
}

function driving({ clock, runJob, running }: TestHub): Pick<TimeApp, 'issue' | 'minute'> {
  const issue = async (): Promise<void> => {
    await runJob('pulse');
    const report = running.driver.report().find(({ name }) => name === 'pulse');
    assert.equal(report?.lastError, undefined, 'the job that issues');
  };
  return {
    issue,
    async minute() {
      clock.advance(60);
      await issue();
    },
  };
}

/** The calls alone, for a hub that is another process. */
export function timeCalls(place: Place): TimeCalls {
  const anyone = visitor(place);
  // Each answer was held against the contract, so its type is the contract's.
  const read = async <T>(path: string): Promise<T> => mustOk(await anyone.get(path)) as T;
  const app: TimeCalls = {
    get: (path) => anyone.get(path),
    now: (nonce) => read(`/api/v1/time${nonce === undefined ? '' : `?nonce=${nonce}`}`),
    stamp: (digest) => anyone.post('/api/v1/time/stamp', { digest }),
    promise: async (digest) => promiseIn(await app.stamp(digest)),
    ask: (digest, pulse) => anyone.get(proofPath(digest, pulse)),
    proof: (digest, pulse) => read(proofPath(digest, pulse)),
    pulse: (seq) => read(`/api/v1/time/pulses/${seq}`),
    async chain() {
      const { body } = await app.pulse('head');
      const pulses: Pulse[] = [];
      for (let seq = 0; seq <= body.seq; seq += 1) pulses.push(await app.pulse(seq));
      return pulses;
    },
  };
  return app;
}

export function promiseIn(answer: Answer): StampPromise {
  return mustOk(answer) as unknown as StampPromise;
}

function proofPath(digest: string, pulse: string | number | undefined): string {
  const query = pulse === undefined ? '' : `?pulse=${encodeURIComponent(pulse)}`;
  return `/api/v1/time/stamps/${digest}${query}`;
}

/** A digest for each name. */
export function digestOf(name: string | number): string {
  return sha256(String(name)).toString('hex');
}

/** A clock of this machine that is ahead, or behind when negative, and that a test may set. */
export function wrongBy(ms: number): FakeClock {
  const clock = realClock();
  let aheadMs = ms;
  const now = () => instant(clock.now() + aheadMs);
  return { ...clock, now, wall: now, jump: (by) => void (aheadMs += by) };
}

/** A place that hubs are started and stopped in: a database, a data folder, a clock. */
export interface Site {
  readonly clock: FakeClock;
  readonly databaseUrl: string;
  /** The `HUB_DATA_DIR` of every hub that is started here. */
  readonly folder: string;
  /** `aheadMs` is by how much the hub's clock is ahead of the site's; behind when negative. */
  start(aheadMs?: number): Promise<TimeApp>;
  stop(app: TimeApp): Promise<void>;
}
export type NewSite = () => Promise<Site>;
export type DatabaseName = 'SQLite' | 'PostgreSQL';

/** The first test may have to create the PostgreSQL cluster. */
const SUITE_MS_MAX = 60_000;

/** Defines a suite for each database; what a test starts is closed after it. */
export function onEachDatabase(
  title: string,
  define: (newSite: NewSite, database: DatabaseName) => void,
): void {
  for (const [name] of DATABASES) onDatabase(name, title, define);
}

export function onDatabase(
  database: DatabaseName,
  title: string,
  define: (newSite: NewSite, database: DatabaseName) => void,
): void {
  for (const [name, url] of DATABASES.filter(([each]) => each === database)) {
    describe(`${title} (${name})`, function suite() {
      this.timeout(SUITE_MS_MAX);
      define(sitesWith(url), name);
    });
  }
}

function sitesWith(url: (folder: string) => Promise<string>): NewSite {
  const hubs: TestHub[] = [];
  const folders: string[] = [];
  afterEach('close the hubs', async () => {
    await Promise.all(hubs.splice(0).map((hub) => hub.close()));
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
    mustHaveConformed();
  });
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hub-time-'));
    folders.push(folder);
    const [clock, databaseUrl] = [fakeClock(), await url(folder)];
    return {
      clock,
      databaseUrl,
      folder,
      async start(aheadMs = 0) {
        const own = { ...clock, now: () => instant(clock.now() + aheadMs) };
        const hub = await startHub({ clock: own, databaseUrl, env: { HUB_DATA_DIR: folder } });
        hubs.push(hub);
        return timeApp(hub);
      },
      async stop({ hub }) {
        hubs.splice(hubs.indexOf(hub), 1);
        await hub.close();
      },
    };
  };
}
