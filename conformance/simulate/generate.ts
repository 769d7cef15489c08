import { CRASHING_JOBS } from './crashInjection.ts';
import { agentOf, spendableOf } from './model/books.ts';
import { nextDue } from './model/clock.ts';
import type { Operation } from './model/operations.ts';
import { panelTimes } from './model/panels.ts';
import { heldBy, waiting } from './model/settle.ts';
import type { Attempt, Task } from './model/types.ts';
import { behave, resign, seat } from './bench.ts';
import { abandon, arbitrate, chain, dispute, publish } from './publications.ts';
import type { Random } from './random.ts';
import { anyone, key, owner, pickTask, REQUESTERS, SKILLS, tasksWhere } from './fixture.ts';
import type { SimulationFixture } from './fixture.ts';

/**
 * Chooses what happens next: mostly what the state allows, often at the edge of a limit, and in
 * about one case of five something that it does not. `done` are the operations so far.
 */
type Maker = (town: SimulationFixture) => Operation | undefined;

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
const COURT_MAKERS = MAKERS.map(
  ([weight, make]) => [COURT_WEIGHTS.get(make) ?? weight, make] as const,
);

export function chooseOperation(town: SimulationFixture): Operation {
  const makers = town.isCourt ? COURT_MAKERS : MAKERS;
  const weight = makers.reduce((sum, [each]) => sum + each, 0);
  for (;;) {
    let left = town.random.below(weight);
    const maker = makers.find(([each]) => (left -= each) < 0);
    const made = maker?.[1](town);
    if (made !== undefined) return town.isMortal ? mortal(town, made) : made;
  }
}

/** A process dies so many milliseconds after it was asked, mostly in the middle of what it does. */
const LIVES_MS = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 40, 80];

const DEATH_EVERY = 75;
const FIRST_DEATH = 40;

/** The process dies at every so many operations: under one that may be sent again, or in a job. */
function mortal({ random, done }: SimulationFixture, op: Operation): Operation {
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

function payee(town: SimulationFixture): { readonly payee?: number } {
  return town.random.chance(10) ? { payee: anyone(town) } : {};
}

function claim(town: SimulationFixture): Operation | undefined {
  const { random } = town;
  const task = pickTask(town, (each) => each.mode === 'exclusive' && each.state === 'open');
  if (task === undefined) return undefined;
  const winner = task.chosen?.worker;
  const holder = heldBy(task)?.worker;
  const likely = winner ?? holder;
  const by = likely !== undefined && random.chance(70) ? likely : anyone(town);
  return { do: 'claim', by, task: task.name, ...skills(random), ...payee(town) };
}

function next(town: SimulationFixture): Operation {
  const { random } = town;
  const minReward = random.chance(15) ? { minReward: BigInt(random.below(3_000_000)) } : {};
  return { do: 'next', by: anyone(town), ...skills(random), ...minReward, ...payee(town) };
}

/** An attempt whose claim lives, or, now and then, any that ever had a token. */
function pickToken(town: SimulationFixture): Attempt | undefined {
  const { random } = town;
  const all = tasksWhere(town, () => true).flatMap((task) => task.attempts);
  const live = all.filter(({ state }) => state === 'claimed');
  const other = all.filter(({ hadToken }) => hadToken);
  const from = live.length > 0 && random.chance(85) ? live : other;
  return from.length === 0 ? undefined : random.pick(from);
}

function submit(town: SimulationFixture): Operation | undefined {
  const { random } = town;
  const attempt = pickToken(town);
  if (attempt === undefined) return undefined;
  const by = random.chance(94) ? attempt.worker : anyone(town);
  return { do: 'submit', by, attempt: attempt.name, good: random.chance(75), ...key(random) };
}

function fail(town: SimulationFixture): Operation | undefined {
  const attempt = pickToken(town);
  if (attempt === undefined) return undefined;
  const by = town.random.chance(94) ? attempt.worker : anyone(town);
  return { do: 'fail', by, attempt: attempt.name };
}

function start(town: SimulationFixture): Operation | undefined {
  const task = pickTask(town, ({ state }) => state === 'open');
  return task && { do: 'start', by: anyone(town), task: task.name };
}

function solution(town: SimulationFixture): Operation | undefined {
  const { random } = town;
  const task = pickTask(town, (each) => each.mode === 'open' && each.state === 'open');
  if (task === undefined) return undefined;
  const good = random.chance(70);
  return {
    do: 'solution',
    by: anyone(town),
    task: task.name,
    good,
    ...payee(town),
    ...key(random),
  };
}

function named(town: SimulationFixture, task: Task): { readonly attempt?: string } {
  const undecided = waiting(task);
  const from = undecided.length > 0 && town.random.chance(85) ? undecided : task.attempts;
  if (from.length === 0 || town.random.chance(50)) return {};
  return { attempt: town.random.pick(from).name };
}

function accept(town: SimulationFixture): Operation | undefined {
  const task = pickTask(
    town,
    (each) => waiting(each).length > 0 || (each.state === 'accepted' && each.hold === 'payout'),
  );
  if (task === undefined) return undefined;
  const by = owner(town, task);
  return { do: 'accept', by, task: task.name, ...named(town, task), ...key(town.random) };
}

function reject(town: SimulationFixture): Operation | undefined {
  const task = pickTask(town, (each) => waiting(each).length > 0);
  if (task === undefined) return undefined;
  return { do: 'reject', by: owner(town, task), task: task.name, ...named(town, task) };
}

function cancel(town: SimulationFixture): Operation | undefined {
  const task = pickTask(town, ({ state }) => state === 'open');
  return task && { do: 'cancel', by: owner(town, task), task: task.name, ...key(town.random) };
}

function pitch(town: SimulationFixture): Operation | undefined {
  const { random } = town;
  const task = pickTask(town, (each) => each.isPitch && each.state === 'open');
  if (task === undefined) return undefined;
  const prices = [task.reward, task.reward + 1n, 999n, 1_000n, (task.reward * 2n) / 3n];
  const price = random.chance(70) ? { price: random.pick(prices) } : {};
  return { do: 'pitch', by: anyone(town), task: task.name, ...price };
}

function choose(town: SimulationFixture): Operation | undefined {
  const { random } = town;
  const all = tasksWhere(town, () => true).flatMap((task) => task.pitches);
  const offered = all.filter(({ state }) => state === 'standing');
  const from = offered.length > 0 && random.chance(85) ? offered : all;
  if (from.length === 0) return undefined;
  const chosen = random.pick(from);
  const task = town.model.tasks.get(chosen.task);
  return task && { do: 'choose', by: owner(town, task), pitch: chosen.name, ...key(random) };
}

function borrow(town: SimulationFixture): Operation | undefined {
  const { random } = town;
  const task = pickTask(town, ({ state }) => state === 'held');
  if (task === undefined) return undefined;
  const holder = heldBy(task)?.worker;
  const by = holder !== undefined && random.chance(90) ? holder : anyone(town);
  const wanted = random.chance(30) ? { wanted: BigInt(random.below(700_000)) } : {};
  return { do: 'borrow', by, task: task.name, ...wanted, ...key(random) };
}

function pay(town: SimulationFixture): Operation {
  const { model, random } = town;
  const by = anyone(town);
  const all = spendableOf(agentOf(model, by));
  const amount = random.pick([all, all + 1n, all / 2n, all / 10n, 1n, 0n]);
  return { do: 'pay', by, to: anyone(town), amount, key: `k${random.below(1_000_000)}` };
}

function faucet(town: SimulationFixture): Operation {
  const { random } = town;
  const by = random.chance(70) ? random.below(REQUESTERS) : anyone(town);
  const amount = BigInt(random.below(20_000_000));
  return { do: 'faucet', by, amount, key: `k${random.below(1_000_000)}` };
}

/** A retry of something done before, exactly or, now and then, under a key used for another call. */
function again(town: SimulationFixture): Operation | undefined {
  const { random, done } = town;
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
