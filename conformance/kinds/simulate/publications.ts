import type { Operation } from './model/operations.ts';
import { SEAT_SKILL } from './model/seats.ts';
import type { StepTerms, Task, Terms, Verification } from './model/types.ts';
import type { Random } from './random.ts';
import { anyone, isOver, key, owner, pickTask, REQUESTERS, SKILLS, tasksWhere } from './fixture.ts';
import type { SimulationFixture } from './fixture.ts';

/** Work that requesters put up, tasks and chains, and disputes over what came of it. */
const LIVE_TASKS_MAX = 60;
const MODES = ['open', 'exclusive', 'exclusive'] as const;
/** Several may offer results at once. */
const COURT_MODES = ['open', 'open', 'exclusive'] as const;

export function publish(fixture: SimulationFixture): Operation | undefined {
  const { random } = fixture;
  if (tasksWhere(fixture, (task) => !isOver(task)).length >= LIVE_TASKS_MAX) return undefined;
  const by = random.chance(85) ? random.below(REQUESTERS) : anyone(fixture);
  const isDivided = random.chance(fixture.isCourt ? 4 : 12);
  const draft = isDivided ? divided(fixture) : terms(fixture);
  return { do: 'publish', by, terms: draft, ...key(random) };
}

function divided({ model, random }: SimulationFixture): Terms {
  const shares = random.pick([
    [5_000, 5_000],
    [6_000, 3_000, 1_000],
    [3_333, 6_666],
    [9_999, 1],
  ]);
  return {
    rule: random.chance(50),
    tags: [],
    skills: [],
    shares,
    reward: reward(random),
    deadline: model.now + random.pick([300, 1_000, 7_200, 90_000]) * 1000,
  };
}

function terms(fixture: SimulationFixture): Terms {
  const { model, random } = fixture;
  const pitchable = random.chance(18);
  const rule = random.chance(60);
  const verification = verificationIn(fixture);
  const tags = random.chance(4) ? ['thread'] : pitchable ? ['pitch'] : [];
  return {
    rule,
    tags,
    skills: skillsFor(fixture),
    ...(random.chance(92) && { reward: reward(random) }),
    ...(random.chance(60) && { mode: random.pick(fixture.isCourt ? COURT_MODES : MODES) }),
    ...(verification !== undefined &&
      (rule || random.chance(97) || verification !== 'automatic') && { verification }),
    ...(random.chance(40) && { autoAccept: random.pick([0, 1, 60, 3_600, 86_400]) }),
    ...(random.chance(75) && { window: random.pick([0, 0, 1, 600, 86_400, 86_400, 604_800]) }),
    ...(random.chance(40) && { maxAttempts: random.pick([1, 2, 10]) }),
    ...(random.chance(fixture.isCourt ? 10 : 40) && {
      deadline:
        model.now +
        random.pick([299, 300, 301, 1_000, 2_400, 7_200, 90_000, 7_776_001]) * 1000 +
        random.pick([0, 0, 1, 999]),
    }),
  };
}

export function chain(fixture: SimulationFixture): Operation | undefined {
  const { random } = fixture;
  if (tasksWhere(fixture, (task) => !isOver(task)).length >= LIVE_TASKS_MAX) return undefined;
  const steps = Array.from({ length: 1 + random.below(4) }, () => step(fixture));
  const by = random.below(REQUESTERS);
  const isDistinct = random.chance(40);
  const isSame = random.chance(isDistinct ? 5 : 50);
  return { do: 'chain', by, steps, isDistinct, isSame, ...key(random) };
}

function step(fixture: SimulationFixture): StepTerms {
  const { random } = fixture;
  const rule = random.chance(60);
  const verification = verificationIn(fixture);
  return {
    rule,
    reward: reward(random),
    skills: skillsFor(fixture),
    ...(verification !== undefined && (rule || verification !== 'automatic') && { verification }),
    ...(random.chance(40) && { autoAccept: random.pick([0, 60, 86_400]) }),
    ...(random.chance(75) && { window: random.pick([0, 0, 600, 86_400]) }),
  };
}

export function abandon({ model, random }: SimulationFixture): Operation | undefined {
  if (model.chains.size === 0) return undefined;
  const { name, requester } = random.pick([...model.chains.values()]);
  const by = random.chance(90) ? requester : random.below(REQUESTERS);
  return { do: 'abandon', by, chain: name, ...key(random) };
}

/** In a town of judges most work goes to panels. */
function verificationIn({ random, isCourt }: SimulationFixture): Verification | undefined {
  if (isCourt && random.chance(75)) return 'validator';
  return random.pick(['automatic', 'requester', 'validator', undefined] as const);
}

/** Most seats judge one skill alone; work that asks for it finds panels and arbiters. */
function skillsFor({ random, isCourt }: SimulationFixture): readonly string[] {
  const judged = isCourt ? 95 : 60;
  return SKILLS.filter((skill) => random.chance(skill === SEAT_SKILL ? judged : 15));
}

export function arbitrate(fixture: SimulationFixture): Operation | undefined {
  const { random } = fixture;
  const task = pickTask(fixture, ({ dispute: open }) => open?.state === 'drawn');
  if (task === undefined) return undefined;
  const arbiter = task.dispute?.arbiter;
  const by = arbiter !== undefined && random.chance(85) ? arbiter : anyone(fixture);
  const verdict = random.pick(['upheld', 'rejected', 'split', 'split'] as const);
  const says = random.chance(verdict === 'split' ? 70 : 8);
  const share = says ? { shareBps: random.pick([0, 1, 2_500, 3_333, 9_999, 10_000]) } : {};
  return { do: 'arbitrate', by, task: task.name, verdict, ...share, ...key(random) };
}

export function dispute(fixture: SimulationFixture): Operation | undefined {
  const { random } = fixture;
  const isOpen = (each: Task): boolean => each.state === 'accepted' && each.hold === 'payout';
  const isRuled = (each: Task): boolean => isOpen(each) && each.skills.includes(SEAT_SKILL);
  const task = pickTask(fixture, random.chance(75) ? isRuled : isOpen);
  if (task === undefined) return undefined;
  const worker = task.attempts.find(({ state }) => state === 'accepted')?.worker;
  const by = worker !== undefined && random.chance(50) ? worker : owner(fixture, task);
  return { do: 'dispute', by, task: task.name };
}

function reward(random: Random): bigint {
  const small = BigInt(random.pick([999, 1_000, 1_001, 1_033, 33_334]));
  const usual = BigInt(50_000 + random.below(3_000_000));
  const large = BigInt(20_000_000 + random.below(60_000_000));
  const largest = BigInt(100_000_000 + random.below(2));
  if (random.chance(3)) return largest;
  return random.chance(10) ? small : random.chance(8) ? large : usual;
}
