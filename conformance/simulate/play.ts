import {
  at,
  compareAgent,
  compareChain,
  compareEconomics,
  compareFields,
  compareTask,
  type Body,
} from './compare.ts';
import { attemptOf, expect, openModel, pitchOf } from './model/model.ts';
import type { Numbered } from './model/operations.ts';
import { RESTART_SECONDS, type Chain, type Expected, type Model } from './model/types.ts';
import { readDraws, verifyDraws, type Draw } from './draws.ts';
import { requestOf, type Calling, type Names } from './requests.ts';
import type { Site } from './site.ts';

/** One run: the same operations on the hub and on the model, compared after each. */
export interface Run {
  readonly model: Model;
  /** Does one operation on both; answers the differences, or undefined when it meant nothing. */
  step(operation: Numbered): Promise<readonly string[] | undefined>;
  /** Compares everything there is. */
  compareAll(): Promise<readonly string[]>;
}

/** Every so many operations one goes signed and over the wire, and everything is compared. */
const WIRE_EVERY = 16;
const COMPARE_ALL_EVERY = 100;
/** Wallets cost more to read than tasks; what slips through is found with everything. */
const COMPARE_AGENTS_EVERY = 8;

export function openRun(site: Site): Run {
  const model = openModel(site.clock.now(), site.accounts.length);
  const ids = new Map<string, string>();
  const tokens = new Map<string, string>();
  const names: Names = {
    accounts: site.accounts,
    ids,
    tokens,
    endpointOf: site.endpointOf,
    taskOf: (name) => taskOf(model, name),
  };
  const draws: Draw[] = [];
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
    found.push(...(await compareChains(hasNewStep)));
    // Looking at one step may open the next, which is met when its chain is read.
    for (const task of [...model.tasks.values()]) {
      found.push(...(await compareTask(site, names, model, task)));
    }
    found.push(...(await compareChains(() => true)));
    for (const index of model.agents.keys()) {
      found.push(...(await compareAgent(site, names, model, index)));
    }
    return found;
  };
  const pass = async (op: Extract<Numbered, { readonly do: 'wait' }>): Promise<void> => {
    site.clock.advance(op.seconds);
    if (op.jobs) await site.runJobs();
  };
  /** A new process is never up in the millisecond in which the old one went. */
  const restart = async (): Promise<void> => {
    await site.restart();
    site.clock.advance(RESTART_SECONDS);
  };
  const call = async (op: Calling, expected: Expected): Promise<readonly string[]> => {
    const by = op.do === 'faucet' ? undefined : op.by;
    const answer = await site.call(by, requestOf(op, names), op.n % WIRE_EVERY === 0);
    const where = `${op.n} ${op.do}`;
    const wrong = [...compareAnswer(where, answer, expected, names)];
    if (wrong.length === 0 && 'ok' in expected) wrong.push(...learn(where, answer.body, expected));
    const task = touched(model, op, expected);
    const named = 'chain' in op ? op.chain : undefined;
    const { chain } = task ?? {};
    if (task !== undefined) wrong.push(...(await compareTask(site, names, model, task)));
    const isNear = ({ name }: Chain): boolean => name === chain?.name || name === named;
    wrong.push(...(await compareChains((each) => isNear(each) || hasNewStep(each))));
    wrong.push(...(await readDraws(site, names, model, draws)));
    if (op.n % COMPARE_AGENTS_EVERY === 0 || wrong.length > 0) {
      if (task !== undefined) wrong.push(...(await compareEconomics(site, names, task)));
      for (const index of new Set([op.by, task?.requester ?? op.by])) {
        wrong.push(...(await compareAgent(site, names, model, index)));
      }
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
    if (known !== undefined && known !== id) return [`${where}: ${made} is ${known}, told ${id}`];
    ids.set(made, id);
    const token = body['claimToken'];
    if (typeof token !== 'string') return [];
    const before = tokens.get(made);
    tokens.set(made, token);
    const isOther = body['repeated'] === true && before !== token;
    return isOther ? [`${where}: a renewal gave another token`] : [];
  };
  return {
    model,
    async compareAll() {
      const found = [...(await compareAll()), ...(await readDraws(site, names, model, draws))];
      return [...found, ...(await verifyDraws(site, draws))];
    },
    async step(op) {
      const expected = expect(model, op);
      if (expected === undefined) return undefined;
      const wrong: string[] = [];
      if (op.do === 'wait') await pass(op);
      else if (op.do === 'restart') await restart();
      else wrong.push(...(await call(op, expected)));
      if (op.do === 'seat') await site.probeSeats();
      if (wrong.length === 0) wrong.push(...(await compareChains(hasNewStep)));
      if (wrong.length === 0) wrong.push(...(await readDraws(site, names, model, draws)));
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

/** Where an answer says the id of the thing that it made. */
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
  const said = status === 200 ? 'ok' : `${status} ${String(body['code'])}`;
  const wanted = 'refused' in expected ? refusal(expected.refused) : 'ok';
  if (said !== wanted) {
    return [`${where}: the hub says ${said} (${String(body['error'])}), the model ${wanted}`];
  }
  if ('refused' in expected) return [];
  const { task, ...fields } = expected.ok;
  return [
    ...compareFields(where, body, fields),
    ...(typeof task === 'string'
      ? compareFields(where, body, { 'work.id': names.ids.get(task) })
      : []),
    ...(expected.repeated === true ? compareFields(where, body, { repeated: true }) : []),
  ];
}
