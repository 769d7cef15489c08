import { setTimeout as sleep } from 'node:timers/promises';
import {
  scriptedAgent,
  type ScriptedAgents,
  type Connection,
  type ScriptedAgent,
} from './agents.ts';
import { requesterOf } from './requester.ts';
import { runValidator, takeValidatorSeat, type Endpoint } from './validators.ts';
import { workerOf } from './worker.ts';

/**
 * The counterparties of somebody who is alone on a sandbox: a requester, a worker and two judges.
 * Each look reads what stands and acts on it, so a look that failed is made good by the next.
 */
export interface RunningAgents {
  /** One look of each; answers what went wrong, if anything did. */
  look(): Promise<readonly unknown[]>;
}

export interface Seats {
  readonly judge: Endpoint;
  readonly arbiter: Endpoint;
}

export function openAgents(
  agents: ScriptedAgents,
  endpoints: Seats,
  place: Connection,
): RunningAgents {
  const judge = seated(scriptedAgent(agents, 'judge', place), endpoints.judge);
  const arbiter = seated(scriptedAgent(agents, 'arbiter', place), endpoints.arbiter);
  const requester = requesterOf(scriptedAgent(agents, 'requester', place));
  const worker = workerOf(scriptedAgent(agents, 'worker', place));
  const parts = [judge, arbiter, requester, worker];
  return {
    async look() {
      const done = await Promise.allSettled(parts.map((part) => part()));
      return done.flatMap((each): unknown[] => (each.status === 'rejected' ? [each.reason] : []));
    },
  };
}

/** Takes the seat at the first look that succeeds. */
function seated(me: ScriptedAgent, endpoint: Endpoint): () => Promise<void> {
  let sits = false;
  return async () => {
    if (!sits) await takeValidatorSeat(me, endpoint);
    sits = true;
    await runValidator(me);
  };
}

const EVERY_MS = 3_000;

/**
 * Looks again and again until the signal is raised; what goes wrong in the same way is told once.
 */
export async function runAgents(
  agents: RunningAgents,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  let told = '';
  while (!signal.aborted) {
    const errors = await agents.look();
    const now = errors.map(String).join('\n');
    if (now !== told && !signal.aborted) errors.forEach(report);
    told = now;
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
