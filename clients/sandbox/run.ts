import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  scriptedAgent,
  type ScriptedAgents,
  type Connection,
  type ScriptedAgent,
} from './agents.ts';
import { marketHouse } from './markets.ts';
import { pokerHouse, STYLES } from './pokerPlayers.ts';
import { requesterOf } from './requester.ts';
import type { Endpoint } from './endpoint.ts';
import { runValidator, takeValidatorSeat } from './validators.ts';
import { workerOf } from './worker.ts';

/**
 * The counterparties of a person alone on a sandbox: a requester, a worker, two judges, who also
 * run markets, and three poker players. Each look acts on what it reads, and so mends a failed one.
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
  const markets = marketHouse({
    maker: scriptedAgent(agents, 'requester', place),
    bettor: scriptedAgent(agents, 'worker', place),
    judge: scriptedAgent(agents, 'judge', place),
    now: place.now,
    toss: () => randomInt(2) === 1,
  });
  const parts = [judge, arbiter, requester, worker, markets];
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

/** Polls until the signal is raised. The same error is reported once. */
export async function runAgents(
  agents: RunningAgents,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  const look = async () => ({ errors: await agents.look(), nextMs: EVERY_MS });
  await repeat(look, signal, report);
}

/** Runs the house players. They poll more often while a person plays. */
export async function runHouse(
  agents: ScriptedAgents,
  place: Connection,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  const players = STYLES.map((style) => ({ ...scriptedAgent(agents, style, place), style }));
  const look = pokerHouse(players);
  const safely = async () => {
    try {
      return { errors: [], nextMs: await look() };
    } catch (error) {
      return { errors: [error], nextMs: EVERY_MS };
    }
  };
  await repeat(safely, signal, report);
}

interface Looked {
  readonly errors: readonly unknown[];
  readonly nextMs: number;
}

async function repeat(
  look: () => Promise<Looked>,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  let reported = '';
  while (!signal.aborted) {
    const { errors, nextMs } = await look();
    const now = errors.map(String).join('\n');
    if (now !== reported && !signal.aborted) errors.forEach(report);
    reported = now;
    await sleep(nextMs, undefined, { signal }).catch(() => undefined);
  }
}
