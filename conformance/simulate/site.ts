import { createHash } from 'node:crypto';
import { keyIdOfSecret } from '../../clients/typescript/sign.ts';
import { agentWith, type Agent } from '../harness/agents.ts';
import { fakeClock, type FakeClock } from '../harness/clock.ts';
import { direct, type DirectAnswer, type DirectCall } from '../harness/direct.ts';
import { startHub, type TestHub } from '../harness/hub.ts';
import { openJudges } from './judges.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';

/** The hub under test: it can be stopped and opened again on the same database. */
export interface Site {
  readonly clock: FakeClock;
  readonly accounts: readonly string[];
  endpointOf(by: number): string;
  /** In the process, or signed and over the wire; `by` undefined is a visitor. */
  call(by: number | undefined, request: SiteRequest, wire?: boolean): Promise<DirectAnswer>;
  runJobs(): Promise<void>;
  /** Sends the synthetic case that lifts the pause of a new seat. */
  probeSeats(): Promise<void>;
  restart(): Promise<void>;
  audit(): Promise<void>;
  close(): Promise<void>;
}

export interface SiteRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

/** Twice: what one job opens, such as a task whose lease ended, may be due for another. */
const JOBS = [
  'pulse',
  'leaseExpiry',
  'autoAccept',
  'panels',
  'payoutRelease',
  'disputeVoid',
  'deadlineExpiry',
  'loanCollection',
];
const JOB_ROUNDS = 2;
/** Endpoints; agents whose numbers differ by this share one, and only one of them gets a seat. */
const JUDGES = 6;

interface Key {
  readonly secretKey: Uint8Array;
  readonly keyId: string;
  readonly account: string;
}

export async function openSite(
  databaseUrl: string,
  { seed, agents }: { readonly seed: number; readonly agents: number },
): Promise<Site> {
  const clock = fakeClock();
  const keys = await Promise.all(
    Array.from({ length: agents }, (_, index) => keyOf(`${seed} ${index}`)),
  );
  const judges = await openJudges(JUDGES);
  const env = { HUB_ALLOW_PRIVATE_HOSTS: judges.pairs };
  let hub = await startHub({ databaseUrl, clock, env });
  // A draw takes the secret that a pulse committed to.
  clock.advance(60);
  await hub.runJob('pulse');
  let [calls, signing] = doors(hub, keys);
  // A first signature binds each key, as in life.
  for (const agent of signing) await agent.get('/api/v1/me');
  return {
    clock,
    accounts: keys.map(({ account }) => account),
    async call(by, { method, path, body }, wire = false) {
      const agent = by === undefined ? undefined : signing[by];
      if (!wire || agent === undefined) return calls(agent?.account, method, path, body);
      return method === 'GET' ? agent.get(path) : agent.post(path, body);
    },
    endpointOf: judges.endpointOf,
    probeSeats: () => hub.runJob('seatProbes'),
    async runJobs() {
      for (let round = 0; round < JOB_ROUNDS; round += 1) {
        for (const job of JOBS) await hub.runJob(job);
      }
    },
    async restart() {
      await hub.close();
      hub = await startHub({ databaseUrl, clock, env });
      [calls, signing] = doors(hub, keys);
    },
    audit: () => assertBooksBalance(hub.running.hub.store),
    async close() {
      await hub.close();
      await judges.close();
    },
  };
}

function doors(hub: TestHub, keys: readonly Key[]): [DirectCall, readonly Agent[]] {
  return [direct(hub), keys.map((key) => agentWith(hub, key))];
}

async function keyOf(text: string): Promise<Key> {
  const secretKey = new Uint8Array(createHash('sha256').update(`simulate ${text}`).digest());
  const keyId = await keyIdOfSecret(secretKey);
  return { secretKey, keyId, account: `key:${keyId}` };
}
