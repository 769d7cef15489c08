import type { Operation } from './model/operations.ts';
import { SEAT_SKILL } from './model/seats.ts';
import type { StepTerms, Task, Terms, Verification } from './model/types.ts';
import type { Random } from './random.ts';
import {
  FIRST_JUDGE,
  anyone,
  isOver,
  key,
  owner,
  pickTask,
  REQUESTERS,
  SKILLS,
  tasksWhere,
} from './town.ts';
import type { Town } from './town.ts';

/** Work that requesters put up, tasks and chains, and disputes over what came of it. */
const LIVE_TASKS_MAX = 60;

export function publish(town: Town): Operation | undefined {
  const { random } = town;
  if (tasksWhere(town, (task) => !isOver(task)).length >= LIVE_TASKS_MAX) return undefined;
  const by = random.chance(85) ? random.below(REQUESTERS) : anyone(town);
  return { do: 'publish', by, terms: terms(town), ...key(random) };
}

function terms({ model, random }: Town): Terms {
  const pitchable = random.chance(18);
  const rule = random.chance(60);
  const verification = random.pick(['automatic', 'requester', 'validator', undefined] as const);
  const tags = random.chance(4) ? ['thread'] : pitchable ? ['pitch'] : [];
  return {
    rule,
    tags,
    skills: skillsFor(random, verification),
    ...(random.chance(92) && { reward: reward(random) }),
    ...(random.chance(60) && { mode: random.pick(['open', 'exclusive', 'exclusive'] as const) }),
    ...(verification !== undefined && (rule || random.chance(97) || verification !== 'automatic')
      ? { verification }
      : {}),
    ...(random.chance(40) && { autoAccept: random.pick([0, 1, 60, 3_600, 86_400]) }),
    ...(random.chance(75) && { window: random.pick([0, 0, 1, 600, 86_400, 86_400, 604_800]) }),
    ...(random.chance(40) && { maxAttempts: random.pick([1, 2, 10]) }),
    ...(random.chance(40) && {
      deadline:
        model.now +
        random.pick([299, 300, 301, 1_000, 2_400, 7_200, 90_000, 7_776_001]) * 1000 +
        random.pick([0, 0, 1, 999]),
    }),
  };
}

export function chain(town: Town): Operation | undefined {
  const { random } = town;
  if (tasksWhere(town, (task) => !isOver(task)).length >= LIVE_TASKS_MAX) return undefined;
  const steps = Array.from({ length: 1 + random.below(4) }, () => step(random));
  const by = random.below(REQUESTERS);
  return { do: 'chain', by, steps, isDistinct: random.chance(40), ...key(random) };
}

function step(random: Random): StepTerms {
  const rule = random.chance(60);
  const verification = random.pick(['automatic', 'requester', 'validator', undefined] as const);
  return {
    rule,
    reward: reward(random),
    skills: SKILLS.filter((skill) => skill !== SEAT_SKILL && random.chance(10)),
    ...(verification !== undefined && (rule || verification !== 'automatic') && { verification }),
    ...(random.chance(40) && { autoAccept: random.pick([0, 60, 86_400]) }),
    ...(random.chance(75) && { window: random.pick([0, 0, 600, 86_400]) }),
  };
}

export function abandon({ model, random }: Town): Operation | undefined {
  if (model.chains.size === 0) return undefined;
  const { name, requester } = random.pick([...model.chains.values()]);
  const by = random.chance(90) ? requester : random.below(REQUESTERS);
  return { do: 'abandon', by, chain: name, ...key(random) };
}

/** Seats judge one skill, which no work for panels asks for; disputes of the rest find arbiters. */
function skillsFor(random: Random, verification: Verification | undefined): readonly string[] {
  const isJudged = verification === 'validator';
  return SKILLS.filter((skill) =>
    skill === SEAT_SKILL ? !isJudged && random.chance(50) : random.chance(15),
  );
}

export function arbitrate(town: Town): Operation | undefined {
  const { random } = town;
  const task = pickTask(town, ({ dispute: open }) => open?.state === 'drawn');
  if (task === undefined) return undefined;
  const arbiter = task.dispute?.arbiter;
  const by = arbiter !== undefined && random.chance(85) ? arbiter : anyone(town);
  const verdict = random.pick(['upheld', 'rejected', 'split', 'split'] as const);
  const says = random.chance(verdict === 'split' ? 70 : 8);
  const share = says ? { shareBps: random.pick([0, 1, 2_500, 3_333, 9_999, 10_000]) } : {};
  return { do: 'arbitrate', by, task: task.name, verdict, ...share, ...key(random) };
}

export function seat({ model, random }: Town): Operation {
  const by = FIRST_JUDGE + random.below(model.agents.length - FIRST_JUDGE);
  const stakes = [0n, 999n, 1_000n, 200_000n, 1_000_000n, 9_000_000n];
  return {
    do: 'seat',
    by,
    ...(random.chance(85) && { stake: random.pick(stakes) }),
    ...key(random),
  };
}

export function resign(town: Town): Operation {
  const { model, random } = town;
  const judge = FIRST_JUDGE + random.below(model.agents.length - FIRST_JUDGE);
  return { do: 'resign', by: random.chance(90) ? judge : anyone(town), ...key(random) };
}

export function dispute(town: Town): Operation | undefined {
  const { random } = town;
  const isOpen = (each: Task): boolean => each.state === 'accepted' && each.hold === 'payout';
  const isRuled = (each: Task): boolean => isOpen(each) && each.skills.includes(SEAT_SKILL);
  const task = pickTask(town, random.chance(75) ? isRuled : isOpen);
  if (task === undefined) return undefined;
  const worker = task.attempts.find(({ state }) => state === 'accepted')?.worker;
  const by = worker !== undefined && random.chance(50) ? worker : owner(town, task);
  return { do: 'dispute', by, task: task.name };
}

function reward(random: Random): bigint {
  const small = BigInt(random.pick([999, 1_000, 1_001, 1_033, 33_334]));
  const usual = BigInt(50_000 + random.below(3_000_000));
  const large = BigInt(20_000_000 + random.below(60_000_000));
  return random.chance(10) ? small : random.chance(8) ? large : usual;
}
