import { at, type Body } from './fields.ts';
import { seatDrawn } from './model/cases.ts';
import { drawOrder, seedOf } from './model/draw.ts';
import type { Model, Seated, Task } from './model/types.ts';
import type { Names } from './requests.ts';
import type { Site } from './site.ts';

/** Draws that the hub made: chance is its own, but pool, pick and seed are checked. */
export interface Draw {
  readonly kind: 'panel' | 'arbiter';
  readonly taskId: string;
  readonly attemptId: string;
  readonly round: number;
  readonly seed: string;
  readonly pulseSeq: number;
}

/** Reads who was drawn where the model knows that a draw must have taken place. */
export async function readDraws(
  site: Site,
  names: Names,
  model: Model,
  draws: Draw[],
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const task of model.tasks.values()) {
    if (task.rounds.some(({ order }) => order === undefined)) {
      wrong.push(...(await readPanels(site, names, task, draws)));
    }
    if (task.dispute?.awaited !== undefined) {
      wrong.push(...(await readArbiter(site, names, task, draws)));
    }
  }
  return wrong;
}

async function readPanels(
  site: Site,
  names: Names,
  { name, rounds }: Task,
  draws: Draw[],
): Promise<readonly string[]> {
  const taskId = names.ids.get(name) ?? '';
  const { body } = await site.call(undefined, { method: 'GET', path: `/api/v1/tasks/${taskId}` });
  const panels = (body['panels'] as readonly Body[] | undefined) ?? [];
  const wrong: string[] = [];
  for (const round of rounds.filter(({ order }) => order === undefined)) {
    const attemptId = names.ids.get(round.attempt.name);
    const found = panels.find(
      (each) => each['attemptId'] === attemptId && each['round'] === round.n,
    );
    const order = found && readOrder(site, found, round.pool);
    if (found === undefined || order === undefined) {
      const seen = JSON.stringify(found?.['pool']);
      return [`${name}: round ${round.n} of ${round.attempt.name} is drawn from ${seen}`];
    }
    seatDrawn(round, order);
    draws.push(drawOf('panel', taskId, found));
  }
  return wrong;
}

/** The order that the seed gives; undefined when the pool is not the one that it must be. */
function readOrder(
  site: Site,
  shown: Body,
  expected: readonly Seated[],
): readonly number[] | undefined {
  const pool = expected.map(({ agent, weight }) => ({
    account: site.accounts[agent] ?? '',
    weight,
  }));
  const seen = (shown['pool'] as readonly Body[]).map(
    (each) => `${each['account']} ${each['weight']}`,
  );
  const known = pool.map(({ account, weight }) => `${account} ${weight}`);
  if (seen.sort().join() !== known.sort().join()) return undefined;
  return drawOrder(String(shown['seed']), pool).map((each) => site.accounts.indexOf(each));
}

function drawOf(kind: Draw['kind'], taskId: string, shown: Body): Draw {
  const { attemptId, round, pulseSeq, seed } = shown;
  return {
    kind,
    taskId,
    attemptId: String(attemptId),
    round: Number(round),
    seed: String(seed),
    pulseSeq: Number(pulseSeq),
  };
}

async function readArbiter(
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
  const order = readOrder(site, last, dispute.awaited);
  if (order === undefined) return [`${name}: drawn from ${JSON.stringify(last['pool'])}`];
  const arbiter = site.accounts.indexOf(String(last['arbiter']));
  if (order[0] !== arbiter || at(body, 'arbiter') !== last['arbiter']) {
    return [`${name}: ${arbiter} was drawn, the seed says ${order[0]}`];
  }
  dispute.arbiter = arbiter;
  dispute.awaited = undefined;
  draws.push(drawOf('arbiter', taskId, last));
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
    else if (seedOf(draw.kind, random, draw) !== draw.seed) {
      wrong.push(`${draw.taskId}: the seed of round ${draw.round} is not that of its pulse`);
    }
  }
  return wrong;
}
