import { at, type Body } from './compare.ts';
import { firstPick, seedOf } from './model/draw.ts';
import type { Model, Task } from './model/types.ts';
import type { Names } from './requests.ts';
import type { Site } from './site.ts';

/** Draws that the hub made: chance is its own, but pool, pick and seed are checked. */
export interface Draw {
  readonly taskId: string;
  readonly attemptId: string;
  readonly round: number;
  readonly seed: string;
  readonly pulseSeq: number;
}

/** Reads who was drawn where the model knows that somebody must have been. */
export async function readDraws(
  site: Site,
  names: Names,
  model: Model,
  draws: Draw[],
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const task of model.tasks.values()) {
    if (task.dispute?.awaited !== undefined) {
      wrong.push(...(await readOne(site, names, task, draws)));
    }
  }
  return wrong;
}

async function readOne(
  site: Site,
  names: Names,
  { name, dispute }: Task,
  draws: Draw[],
): Promise<readonly string[]> {
  const taskId = names.ids.get(name) ?? '';
  const path = `/api/v1/tasks/${taskId}/dispute`;
  const { body } = await site.call(undefined, { method: 'GET', path });
  const last = ((body['draws'] as readonly Body[] | undefined) ?? []).at(-1);
  if (dispute?.awaited === undefined) return [];
  if (last === undefined) return [`${name}: no arbiter was drawn`];
  const pool = dispute.awaited.map(({ agent, weight }) => ({
    account: site.accounts[agent] ?? '',
    weight,
  }));
  const seen = (last['pool'] as readonly Body[]).map(
    (each) => `${each['account']} ${each['weight']}`,
  );
  const known = pool.map(({ account, weight }) => `${account} ${weight}`);
  if (seen.sort().join() !== known.sort().join()) {
    return [`${name}: drawn from ${seen.join()}, the model says ${known.join()}`];
  }
  const seed = String(last['seed']);
  const arbiter = String(last['arbiter']);
  if (firstPick(seed, pool) !== arbiter || at(body, 'arbiter') !== arbiter) {
    return [`${name}: ${arbiter} was drawn, the seed says ${firstPick(seed, pool)}`];
  }
  dispute.arbiter = site.accounts.indexOf(arbiter);
  dispute.awaited = undefined;
  const { attemptId, round, pulseSeq } = last;
  draws.push({
    taskId,
    seed,
    attemptId: String(attemptId),
    round: Number(round),
    pulseSeq: Number(pulseSeq),
  });
  return [];
}

/** Each seed follows from its pulse, once that is issued. */
export async function verifyDraws(site: Site, draws: Draw[]): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const draw of draws.splice(0)) {
    const path = `/api/v1/time/pulses/${draw.pulseSeq}`;
    const { status, body } = await site.call(undefined, { method: 'GET', path });
    const random = at(body, 'body.random');
    if (status !== 200 || typeof random !== 'string') draws.push(draw);
    else if (seedOf('arbiter', random, draw) !== draw.seed) {
      wrong.push(`${draw.taskId}: the seed of round ${draw.round} is not that of its pulse`);
    }
  }
  return wrong;
}
