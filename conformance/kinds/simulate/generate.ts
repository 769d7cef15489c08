import { CRASHING_JOBS } from './crashInjection.ts';
import { agentOf, spendableOf } from './model/books.ts';
import { nextDue } from './model/clock.ts';
import type { Operation } from './model/operations.ts';
import { panelTimes } from './model/panels.ts';
import { heldBy, waiting } from './model/settle.ts';
import type { Attempt, Task } from './model/types.ts';
import { raid } from './gang.ts';
import { behave, resign, seat } from './bench.ts';
import { abandon, arbitrate, chain, dispute, publish } from './publications.ts';
import type { Random } from './random.ts';
import { anyone, key, owner, pickTask, REQUESTERS, SKILLS, tasksWhere } from './fixture.ts';
import type { SimulationFixture } from './fixture.ts';

/**
 * Chooses what happens next: mostly what the state allows, often at the edge of a limit, and in
 * about one case of five something that it does not. `done` are the operations so far.
 */
type Maker = (fixture: SimulationFixture) => Operation | undefined;

/** In thousandths, nearly. */
const MAKERS: readonly (readonly [weight: number, make: Maker])[] = [
  [140, publish],
  [160, claim],
  [80, next],
  [180, submit],
  [40, fail],
  [40, start],
  [120, solution],
  [80, accept],
  [40, award],
  [50, reject],
  [40, cancel],
  [80, pitch],
  [60, choose],
  [25, chain],
  [8, abandon],
  [50, dispute],
  [40, arbitrate],
  [20, seat],
  [4, resign],
  [12, behave],
  [70, borrow],
  [50, pay],
  [30, faucet],
  [50, again],
  [120, wait],
  [4, () => ({ do: 'restart' })],
];

/** In a town of judges more results come in front of panels, and time goes in smaller steps. */
const COURT_WEIGHTS = new Map<Maker, number>([
  [submit, 240],
  [solution, 200],
  [accept, 25],
  [reject, 20],
  [pitch, 20],
  [choose, 20],
  [borrow, 30],
  [chain, 40],
  [wait, 500],
]);
/** A gang is a third of its town. */
const GANG_MAKERS: typeof MAKERS = [...MAKERS, [800, raid]];
const COURT_MAKERS = MAKERS.map(
  ([weight, make]) => [COURT_WEIGHTS.get(make) ?? weight, make] as const,
);

export function chooseOperation(fixture: SimulationFixture): Operation {
  const makers = fixture.isCourt ? COURT_MAKERS : fixture.isGang ? GANG_MAKERS : MAKERS;
  const weight = makers.reduce((sum, [each]) => sum + each, 0);
  for (;;) {
    let left = fixture.random.below(weight);
    const maker = makers.find(([each]) => (left -= each) < 0);
    const made = maker?.[1](fixture);
    if (made !== undefined) return fixture.isMortal ? child(fixture, made) : made;
  }
}

/** A process dies so many milliseconds after it was asked, mostly in the middle of what it does. */
const LIVES_MS = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 40, 80];

const DEATH_EVERY = 75;
const FIRST_DEATH = 40;

/** The process dies at every so many operations: under one that may be sent again, or in a job. */
function child({ random, done }: SimulationFixture, op: Operation): Operation {
  if (done.length % DEATH_EVERY !== FIRST_DEATH) return op;
  const afterMs = random.pick(LIVES_MS);
  const isSafe = ('key' in op && op.key !== undefined) || op.do === 'claim';
  if (isSafe) return { ...op, dies: { afterMs } };
  const seconds = op.do === 'wait' ? Math.max(1, op.seconds) : 1;
  const dies = { job: random.pick(CRASHING_JOBS), answers: random.below(4), afterMs };
  return { do: 'wait', seconds, jobs: true, dies };
}

function skills(random: Random): { readonly skills?: readonly string[] } {
  return random.chance(25) ? { skills: SKILLS.filter(() => random.chance(60)) } : {};
}

function payee(fixture: SimulationFixture): { readonly payee?: number } {
  return fixture.random.chance(10) ? { payee: anyone(fixture) } : {};
}

function claim(fixture: SimulationFixture): Operation | undefined {
  const { random } = fixture;
  const task = pickTask(fixture, (each) => each.mode === 'exclusive' && each.state === 'open');
  if (task === undefined) return undefined;
  const winner = task.chosen?.worker;
  const holder = heldBy(task)?.worker;
  const likely = winner ?? holder;
  const by = likely !== undefined && random.chance(70) ? likely : anyone(fixture);
  return { do: 'claim', by, task: task.name, ...skills(random), ...payee(fixture) };
}

function next(fixture: SimulationFixture): Operation {
  const { random } = fixture;
  const minReward = random.chance(15) ? { minReward: BigInt(random.below(3_000_000)) } : {};
  return { do: 'next', by: anyone(fixture), ...skills(random), ...minReward, ...payee(fixture) };
}

/** An attempt whose claim lives, or, now and then, any that ever had a token. */
function pickToken(fixture: SimulationFixture): Attempt | undefined {
  const { random } = fixture;
  const all = tasksWhere(fixture, () => true).flatMap((task) => task.attempts);
  const live = all.filter(({ state }) => state === 'claimed');
  const other = all.filter(({ hadToken }) => hadToken);
  const from = live.length > 0 && random.chance(85) ? live : other;
  return from.length === 0 ? undefined : random.pick(from);
}

function submit(fixture: SimulationFixture): Operation | undefined {
  const { random } = fixture;
  const attempt = pickToken(fixture);
  if (attempt === undefined) return undefined;
  const by = random.chance(94) ? attempt.worker : anyone(fixture);
  return { do: 'submit', by, attempt: attempt.name, good: random.chance(75), ...key(random) };
}

function fail(fixture: SimulationFixture): Operation | undefined {
  const attempt = pickToken(fixture);
  if (attempt === undefined) return undefined;
  const by = fixture.random.chance(94) ? attempt.worker : anyone(fixture);
  return { do: 'fail', by, attempt: attempt.name };
}

function start(fixture: SimulationFixture): Operation | undefined {
  const task = pickTask(fixture, ({ state }) => state === 'open');
  return task && { do: 'start', by: anyone(fixture), task: task.name };
}

function solution(fixture: SimulationFixture): Operation | undefined {
  const { random } = fixture;
  const task = pickTask(fixture, (each) => each.mode === 'open' && each.state === 'open');
  if (task === undefined) return undefined;
  const good = random.chance(70);
  return {
    do: 'solution',
    by: anyone(fixture),
    task: task.name,
    good,
    ...payee(fixture),
    ...key(random),
  };
}

function named(fixture: SimulationFixture, task: Task): { readonly attempt?: string } {
  const undecided = waiting(task);
  const from = undecided.length > 0 && fixture.random.chance(85) ? undecided : task.attempts;
  if (from.length === 0 || fixture.random.chance(50)) return {};
  return { attempt: fixture.random.pick(from).name };
}

function accept(fixture: SimulationFixture): Operation | undefined {
  const task = pickTask(
    fixture,
    (each) => waiting(each).length > 0 || (each.state === 'accepted' && each.hold === 'payout'),
  );
  if (task === undefined) return undefined;
  const by = owner(fixture, task);
  return { do: 'accept', by, task: task.name, ...named(fixture, task), ...key(fixture.random) };
}

/** Mostly as many winners as there are places or results, in any order. */
function award(fixture: SimulationFixture): Operation | undefined {
  const { random } = fixture;
  const task = pickTask(fixture, (each) => each.shares !== undefined && waiting(each).length > 0);
  if (task === undefined || task.attempts.length === 0) return undefined;
  const from = random.chance(90) ? waiting(task) : task.attempts;
  const count = random.chance(85) ? (task.shares?.length ?? 1) : 1 + random.below(3);
  const attempts = [...from]
    .map((attempt) => ({ attempt, order: random.below(1_000) }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ attempt }) => attempt.name);
  if (attempts.length === 0) return undefined;
  return { do: 'award', by: owner(fixture, task), task: task.name, attempts, ...key(random) };
}

function reject(fixture: SimulationFixture): Operation | undefined {
  const task = pickTask(fixture, (each) => waiting(each).length > 0);
  if (task === undefined) return undefined;
  return { do: 'reject', by: owner(fixture, task), task: task.name, ...named(fixture, task) };
}

function cancel(fixture: SimulationFixture): Operation | undefined {
  const task = pickTask(fixture, ({ state }) => state === 'open');
  return (
    task && { do: 'cancel', by: owner(fixture, task), task: task.name, ...key(fixture.random) }
  );
}

function pitch(fixture: SimulationFixture): Operation | undefined {
  const { random } = fixture;
  const task = pickTask(fixture, (each) => each.isPitch && each.state === 'open');
  if (task === undefined) return undefined;
  const prices = [task.reward, task.reward + 1n, 999n, 1_000n, (task.reward * 2n) / 3n];
  const price = random.chance(70) ? { price: random.pick(prices) } : {};
  return { do: 'pitch', by: anyone(fixture), task: task.name, ...price };
}

function choose(fixture: SimulationFixture): Operation | undefined {
  const { random } = fixture;
  const all = tasksWhere(fixture, () => true).flatMap((task) => task.pitches);
  const offered = all.filter(({ state }) => state === 'standing');
  const from = offered.length > 0 && random.chance(85) ? offered : all;
  if (from.length === 0) return undefined;
  const chosen = random.pick(from);
  const task = fixture.model.tasks.get(chosen.task);
  return task && { do: 'choose', by: owner(fixture, task), pitch: chosen.name, ...key(random) };
}

function borrow(fixture: SimulationFixture): Operation | undefined {
  const { random } = fixture;
  const task = pickTask(fixture, ({ state }) => state === 'held');
  if (task === undefined) return undefined;
  const holder = heldBy(task)?.worker;
  const by = holder !== undefined && random.chance(90) ? holder : anyone(fixture);
  const wanted = random.chance(30) ? { wanted: BigInt(random.below(700_000)) } : {};
  return { do: 'borrow', by, task: task.name, ...wanted, ...key(random) };
}

function pay(fixture: SimulationFixture): Operation {
  const { model, random } = fixture;
  const by = anyone(fixture);
  const all = spendableOf(agentOf(model, by));
  const amount = random.pick([all, all + 1n, all / 2n, all / 10n, 1n, 0n]);
  return { do: 'pay', by, to: anyone(fixture), amount, key: `k${random.below(1_000_000)}` };
}

function faucet(fixture: SimulationFixture): Operation {
  const { random } = fixture;
  const by = random.chance(70) ? random.below(REQUESTERS) : anyone(fixture);
  const amount = BigInt(random.below(20_000_000));
  return { do: 'faucet', by, amount, key: `k${random.below(1_000_000)}` };
}

/** A retry of an earlier operation, exact or, now and then, under the key of another call. */
function again(fixture: SimulationFixture): Operation | undefined {
  const { random, done } = fixture;
  const keyed = done.filter((op) => 'key' in op && op.key !== undefined).slice(-80);
  if (keyed.length === 0) return undefined;
  const before = random.pick(keyed);
  if (random.chance(70) || !('key' in before) || before.key === undefined) return before;
  if (before.do === 'pay' || before.do === 'faucet')
    return { ...before, amount: before.amount + 1n };
  if (before.do === 'submit' || before.do === 'solution') return { ...before, good: !before.good };
  return before;
}

/** Time passes: a little, to the edge of what is due next, or long. */
function wait({ model, random, isCourt }: SimulationFixture): Operation | undefined {
  const jobs = random.chance(85);
  if (random.chance(isCourt ? 1 : 4)) {
    return { do: 'wait', seconds: 86_400 * (1 + random.below(9)), jobs: true };
  }
  if (random.chance(isCourt ? 4 : 25)) {
    return { do: 'wait', seconds: 1 + random.below(4_000), jobs };
  }
  const tasks = [...model.tasks.values()];
  const panels = isCourt && random.chance(95) ? tasks.flatMap(panelTimes) : [];
  if (isCourt && panels.length === 0 && random.chance(85)) return undefined;
  const clocks = tasks.flatMap((task) => [nextDue(task)?.at ?? 0, ...panelTimes(task)]);
  const due = (panels.length > 0 ? panels : clocks)
    .filter((at) => at >= model.now)
    .sort((a, b) => a - b);
  const ahead = panels.length > 0 && random.chance(85) ? 1 : 1 + random.below(4);
  const soon = due.slice(0, ahead).at(-1) ?? model.now + 600_000;
  const seconds = Math.ceil((soon - model.now) / 1000) + random.pick([-1, 0, 0, 1]);
  return { do: 'wait', seconds: Math.max(0, seconds), jobs };
}
