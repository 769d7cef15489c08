import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyIdOfSecret } from '../../../clients/typescript/sign.ts';
import { agentWith, type Agent } from '../../harness/agents.ts';
import { fakeClock } from '../../harness/clock.ts';
import type { DirectAnswer } from '../../harness/direct.ts';
import { openEngine, type Engine, type EngineRequest, type Peek } from './engine.ts';
import { openJudges, type Case } from './judges.ts';
import { openCrashableProcess, type CrashableProcess } from './crashableProcess.ts';

/** The hub under test: it can be stopped, or killed, and opened again on the same database. */
export interface Site {
  readonly accounts: readonly string[];
  now(): number;
  advance(seconds: number): Promise<void>;
  endpointOf(by: number): string;
  /** Inside the process, or signed and over the wire; `by` undefined is a visitor. */
  call(by: number | undefined, request: SiteRequest, wire?: boolean): Promise<DirectAnswer>;
  runJob(name: string): Promise<void>;
  /** Cases that judges were sent and that wait for an answer. */
  readonly cases: Case[];
  isOut(attemptId: string, account: string): Promise<boolean>;
  peek(): Promise<Peek>;
  /** Whether the endpoint of an agent answers synthetic cases well from now on. */
  probes(by: number, isProbedWell: boolean): void;
  restart(): Promise<void>;
  /** Kills the process, where the hub has one of its own; `restart` opens the next. */
  kill(): Promise<void>;
  audit(): Promise<void>;
  close(): Promise<void>;
}

export type SiteRequest = EngineRequest;

/** Endpoints; agents whose numbers differ by this share one, and only one of them gets a seat. */
const JUDGES = 8;
/** In every fourth town the hub holds its own answers against the contract as well. */
const CHECKED_EVERY = 4;

interface Key {
  readonly secretKey: Uint8Array;
  readonly keyId: string;
  readonly account: string;
}

export interface SiteOptions {
  readonly seed: number;
  readonly agents: number;
  /** Whether the hub has a process of its own, which can be killed. */
  readonly isMortal: boolean;
}

export async function openSite(
  databaseUrl: string,
  { seed, agents, isMortal }: SiteOptions,
): Promise<Site> {
  const clock = fakeClock();
  const keys = await Promise.all(
    Array.from({ length: agents }, (_, index) => keyOf(`${seed} ${index}`)),
  );
  const judges = await openJudges(JUDGES);
  const folder = await mkdtemp(join(tmpdir(), 'simulate-hub-'));
  const env = {
    HUB_ALLOW_PRIVATE_HOSTS: judges.pairs,
    HUB_DATA_DIR: folder,
    // Each answer on the wire is held against the contract by who asked.
    HUB_CHECK_ANSWERS: String(seed % CHECKED_EVERY === 0),
  };
  let child: CrashableProcess | undefined;
  const open = async (): Promise<Engine> => {
    const options = { databaseUrl, nowMs: clock.now(), env };
    if (!isMortal) return openEngine(options);
    child = await openCrashableProcess(options);
    return child;
  };
  const advance = async (seconds: number): Promise<void> => {
    clock.advance(seconds);
    await engine.advance(seconds);
  };
  let engine = await open();
  // A draw takes the secret that a pulse committed to.
  await advance(60);
  await engine.runJob('pulse');
  let signing = signers(engine.url, clock, keys);
  // A first signature binds each key, as in life.
  for (const agent of signing) await agent.get('/api/v1/me');
  let isGone = false;
  return {
    now: clock.now,
    advance,
    accounts: keys.map(({ account }) => account),
    async call(by, request, wire = false) {
      const agent = by === undefined ? undefined : signing[by];
      if (!wire || agent === undefined) return engine.call(agent?.account, request);
      const { method, path, body } = request;
      return method === 'GET' ? agent.get(path) : agent.post(path, body);
    },
    endpointOf: judges.endpointOf,
    runJob: (name) => engine.runJob(name),
    cases: judges.cases,
    probes: judges.probes,
    isOut: (attemptId, account) => engine.isOut(attemptId, account),
    peek: () => engine.peek(),
    async restart() {
      if (!isGone) await engine.close();
      engine = await open();
      isGone = false;
      signing = signers(engine.url, clock, keys);
    },
    async kill() {
      if (child === undefined) throw new Error('a hub in this process cannot be killed');
      await child.kill();
      isGone = true;
    },
    audit: () => engine.audit(),
    async close() {
      if (!isGone) await engine.close();
      await judges.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function signers(url: string, clock: { now(): number }, keys: readonly Key[]): readonly Agent[] {
  return keys.map((key) => agentWith({ url, clock }, key));
}

async function keyOf(text: string): Promise<Key> {
  const secretKey = new Uint8Array(createHash('sha256').update(`simulate ${text}`).digest());
  const keyId = await keyIdOfSecret(secretKey);
  return { secretKey, keyId, account: `key:${keyId}` };
}
