import type { Agent, Answer } from '../harness/agents.ts';
import { mustOk } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { act, publish, type Body } from './_work.ts';

/** Steps that the tests of divided rewards share. */
const PLACES = [6_000, 3_000, 1_000] as const;
export const BY_PLACE: Body = { shares: { places: [...PLACES] } };
export const BY_SPLIT: Body = { shares: { split: true } };
const HOUR = 3_600;
/** From publication to the deadline, and from there to the end of silence. */
export const TO_DEADLINE = 7 * 24 * HOUR;
export const SILENCE = 72 * HOUR;

export interface Offered {
  readonly id: string;
  /** In order of arrival. */
  readonly workers: readonly Agent[];
  readonly solutions: readonly string[];
}

export async function offerTo(worker: Agent, id: string, over: Body = {}): Promise<string> {
  const body = { agentId: worker.account, result: 'done', ...over };
  return String(mustOk(await act(worker, id, 'solution', body))['solutionId']);
}

/** A task with one waiting result of each of `count` new workers. */
export async function contest(
  world: Fixture,
  over: Body,
  count: number,
  by: Agent = world.alice,
): Promise<Offered> {
  const { id } = await publish(by, over);
  const workers: Agent[] = [];
  const solutions: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const worker = await world.agent();
    workers.push(worker);
    solutions.push(await offerTo(worker, id));
    world.hub.clock.advance(1);
  }
  return { id, workers, solutions };
}

export function won(ids: readonly (string | undefined)[], bps: readonly number[] = []): Body[] {
  return ids.map((solutionId, nth) => ({
    solutionId,
    ...(bps[nth] !== undefined && { bps: bps[nth] }),
  }));
}

export function decide(by: Agent, id: string, winners: readonly Body[], over: Body = {}) {
  return act(by, id, 'accept', { requester: by.account, winners, ...over });
}

export function refuseResult(by: Agent, id: string, solutionId: unknown): Promise<Answer> {
  return act(by, id, 'reject', { requester: by.account, solutionId, reason: 'Not on the topic.' });
}
