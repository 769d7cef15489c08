import { compareAgent, compareChain, compareEconomics, compareTask } from './compare.ts';
import type { DirectAnswer } from '../../harness/direct.ts';
import { compareSeats } from './comparePanels.ts';
import type { Place } from './panelDriver.ts';
import { readDraws, verifyDraws, type Draw } from './draws.ts';
import { at, compareFields, type Body } from './fields.ts';
import { tryOffered } from './offered.ts';
import { runJobs } from './jobRunner.ts';
import { agentOf } from './model/books.ts';
import { attemptOf, expect, openModel, pitchOf } from './model/model.ts';
import type { Calling, Numbered } from './model/operations.ts';
import { probeSeats } from './model/seats.ts';
import { RESTART_SECONDS, type Chain, type Expected, type Model } from './model/types.ts';
import { requestOf, type Names } from './requests.ts';
import { isDeadly, sendTwice } from './resend.ts';
import type { Site } from './site.ts';
import { isOver } from './fixture.ts';

/** One run: the same operations on the hub and on the model, compared after each. */
export interface Run {
  readonly model: Model;
  /** How often things happened that leave no trace in the model. */
  readonly noted: ReadonlyMap<string, number>;
  /** Does one operation on both; answers the differences, or undefined when it meant nothing. */
  step(operation: Numbered): Promise<readonly string[] | undefined>;
  compareAll(): Promise<readonly string[]>;
}

type Waiting = Pick<Extract<Numbered, { readonly do: 'wait' }>, 'seconds' | 'jobs' | 'dies'>;
interface Exchanged {
  readonly answer: DirectAnswer;
  readonly expected: Expected;
  readonly wrong: readonly string[];
}
type Behaving = Extract<Numbered, { readonly do: 'behave' }>;

/** Every so many operations one goes signed and over the wire, and everything is compared. */
const WIRE_EVERY = 16;
const COMPARE_ALL_EVERY = 200;
/** Wallets cost more to read than tasks; what slips through is found with everything. */
const COMPARE_AGENTS_EVERY = 8;
/** Offers of a task are tried at the same interval; a trial takes the one writer's turn. */
const OFFERS_EVERY = 2;

export function openRun(site: Site): Run {
  const model = openModel(site.now(), site.accounts.length);
  const ids = new Map<string, string>();
  const tokens = new Map<string, string>();
  const names: Names = {
    accounts: site.accounts,
    ids,
    tokens,
    endpointOf: site.endpointOf,
    taskOf: (name) => taskOf(model, name),
  };
  const place: Place = { site, names, model };
  const draws: Draw[] = [];
  const noted = new Map<string, number>();
  const note = (what: string): void => void noted.set(what, (noted.get(what) ?? 0) + 1);
  /** Tasks that were over when they were compared last; they are compared again in the end. */
  const settled = new Set<string>();
  /** Learns the ids of the steps that opened since, and compares their chains. */
  const compareChains = async (which: (chain: Chain) => boolean): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const chain of [...model.chains.values()].filter(which)) {
      const { wrong, tasks } = await compareChain(site, names, model, chain);
      found.push(...wrong);
      for (const [n, step] of chain.opened.entries()) {
        const id = tasks[n];
        if (typeof id === 'string') ids.set(step.name, id);
      }
    }
    return found;
  };
  const hasNewStep = ({ opened }: Chain): boolean => opened.some(({ name }) => !ids.has(name));
  const compareAll = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    found.push(...(await learnNew()));
    // Looking at one step may open the next, which is met when its chain is read.
    for (const task of [...model.tasks.values()].filter(({ name }) => !settled.has(name))) {
      found.push(...(await compareTask(site, names, model, task)));
      if (isOver(task)) settled.add(task.name);
    }
    found.push(...(await compareChains(() => true)));
    found.push(...(await compareSeats(site, model)));
    for (const index of model.agents.keys()) {
      found.push(...(await compareAgent(site, names, model, index)));
    }
    return found;
  };
  /** Learns what the hub made or drew by itself: steps that opened, and who sits. */
  const learnNew = async (): Promise<readonly string[]> => [
    ...(await compareChains(hasNewStep)),
    ...(await readDraws(site, names, model, draws)),
  ];
  const pass = async ({ seconds, jobs, dies }: Waiting): Promise<readonly string[]> => {
    await site.advance(seconds);
    model.now += seconds * 1000;
    if (dies !== undefined) note('deaths in jobs');
    return jobs ? runJobs({ ...place, learn: learnNew }, dies) : [];
  };
  /** A new process is never up in the millisecond in which the old one went. */
  const restart = async (): Promise<readonly string[]> => {
    await site.restart();
    return pass({ seconds: RESTART_SECONDS, jobs: false });
  };
  const behave = ({ by, conduct, isProbedWell }: Behaving): readonly string[] => {
    site.probes(by, isProbedWell);
    Object.assign(agentOf(model, by), { conduct, isProbedWell });
    return [];
  };
  const send = (op: Calling): Promise<DirectAnswer> => {
    const by = op.do === 'faucet' ? undefined : op.by;
    return site.call(by, requestOf(op, names), op.n % WIRE_EVERY === 0);
  };
  const exchange = async (op: Calling): Promise<Exchanged | undefined> => {
    if (!isDeadly(model, op)) {
      const expected = expect(model, op);
      return expected && { expected, answer: await send(op), wrong: [] };
    }
    // A request that names nothing of this run is not sent, and a copy is asked for that.
    if (expect(structuredClone(model), op) === undefined) return undefined;
    const { expected, wasDone, ...sent } = await sendTwice(place, op, () => send(op));
    note(wasDone ? 'deaths after the deed' : 'deaths before the deed');
    return expected && { ...sent, expected };
  };
  const call = async (op: Calling): Promise<readonly string[] | undefined> => {
    const exchanged = await exchange(op);
    if (exchanged === undefined) return undefined;
    const { answer, expected } = exchanged;
    if ('refused' in expected && expected.refused === 'credit-unavailable') note('shares met');
    const where = `${op.n} ${op.do}`;
    const wrong = [...exchanged.wrong, ...compareAnswer(where, answer, expected, names)];
    if (wrong.length === 0 && 'ok' in expected) wrong.push(...learn(where, answer.body, expected));
    if (wrong.length === 0) wrong.push(...(await readDraws(site, names, model, draws)));
    const task = touched(model, op, expected);
    const named = 'chain' in op ? op.chain : undefined;
    const { chain } = task ?? {};
    if (task !== undefined) wrong.push(...(await compareTask(site, names, model, task)));
    const isNear = ({ name }: Chain): boolean => name === chain?.name || name === named;
    wrong.push(...(await compareChains((each) => isNear(each) || hasNewStep(each))));
    wrong.push(...(await readDraws(site, names, model, draws)));
    if (op.n % COMPARE_AGENTS_EVERY === 0 || wrong.length > 0) {
      wrong.push(...(await compareSeats(site, model)));
      if (task !== undefined) wrong.push(...(await compareEconomics(site, names, task)));
      for (const index of new Set([op.by, task?.requester ?? op.by])) {
        wrong.push(...(await compareAgent(site, names, model, index)));
      }
    }
    if (wrong.length === 0 && task !== undefined && op.n % OFFERS_EVERY === 0) {
      wrong.push(...(await tryOffered({ site, names, note }, task, op.by)));
    }
    return wrong;
  };
  /** Keeps the id of what was made; what was made before must have the id that it had. */
  const learn = (where: string, body: Body, expected: Expected): readonly string[] => {
    if (!('ok' in expected) || expected.made === undefined) return [];
    const { made } = expected;
    const id = idIn(body, made);
    const known = ids.get(made);
    if (typeof id !== 'string') return [`${where}: the answer does not say the id of ${made}`];
    if (known !== undefined && known !== id)
      return [`${where}: ${made} is ${known}, answered ${id}`];
    ids.set(made, id);
    const token = body['claimToken'];
    if (typeof token !== 'string') return [];
    const before = tokens.get(made);
    tokens.set(made, token);
    // A claim whose first answer was lost gets its token for the first time.
    const isOther = body['repeated'] === true && before !== undefined && before !== token;
    return isOther ? [`${where}: a renewal gave another token`] : [];
  };
  return {
    model,
    noted,
    async compareAll() {
      settled.clear();
      const found = [...(await compareAll()), ...(await readDraws(site, names, model, draws))];
      return [...found, ...(await verifyDraws(site, draws))];
    },
    async step(op) {
      const wrong: string[] = [];
      if (op.do === 'wait') wrong.push(...(await pass(op)));
      else if (op.do === 'restart') wrong.push(...(await restart()));
      else if (op.do === 'behave') wrong.push(...behave(op));
      else {
        const differs = await call(op);
        if (differs === undefined) return undefined;
        wrong.push(...differs);
      }
      if (op.do === 'seat') {
        await site.runJob('seatProbes');
        probeSeats(model);
      }
      if (wrong.length === 0) wrong.push(...(await learnNew()));
      if (wrong.length === 0 && op.n % COMPARE_ALL_EVERY === 0) wrong.push(...(await compareAll()));
      return wrong;
    },
  };
}

function taskOf(model: Model, name: string): string {
  return attemptOf(model, name)?.task ?? pitchOf(model, name)?.task ?? name;
}

function touched(model: Model, op: Calling, expected: Expected) {
  const made = 'ok' in expected ? expected.made : undefined;
  const name =
    'task' in op
      ? op.task
      : 'attempt' in op
        ? taskOf(model, op.attempt ?? '')
        : 'pitch' in op
          ? taskOf(model, op.pitch)
          : taskOf(model, made ?? '');
  return model.tasks.get(name);
}

function idIn(body: Body, made: string): unknown {
  if (!made.startsWith('a')) return body['id'];
  return body['attemptId'] ?? body['solutionId'] ?? at(body, 'attempts.0.id');
}

function refusal(code: string): string {
  return `${code === 'not-found' ? 404 : 400} ${code}`;
}

function compareAnswer(
  where: string,
  answer: { readonly status: number; readonly body: Body },
  expected: Expected,
  names: Names,
): readonly string[] {
  const { status, body } = answer;
  const outcome = status === 200 ? 'ok' : `${status} ${String(body['code'])}`;
  const wanted = 'refused' in expected ? refusal(expected.refused) : 'ok';
  if (outcome !== wanted) {
    return [`${where}: the hub says ${outcome} (${String(body['error'])}), the model ${wanted}`];
  }
  if ('refused' in expected) return [];
  const { task, isWarned, ...fields } = expected.ok;
  const warned = isWarned === undefined ? {} : { isWarned };
  return [
    ...compareFields(where, { ...body, isWarned: 'warning' in body }, { ...fields, ...warned }),
    ...(typeof task === 'string'
      ? compareFields(where, body, { 'work.id': names.ids.get(task) })
      : []),
    ...(expected.repeated === true ? compareFields(where, body, { repeated: true }) : []),
  ];
}
