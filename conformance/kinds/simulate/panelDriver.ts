import { compareSeats } from './comparePanels.ts';
import type { Case } from './judges.ts';
import { agentOf } from './model/books.ts';
import { callsDue, callsLetGo, hear, voteOn, type CallDue } from './model/panels.ts';
import type { Model, Vote } from './model/types.ts';
import type { Names } from './requests.ts';
import type { Site } from './site.ts';

/** Calls that the hub has out to one host at a time; the judges of a town share one host. */
const OUT_MAX = 6;
/** As long as nothing else can mean but that a call will not come. */
const PATIENCE_MS = 60_000;

/**
 * One run of the job that calls judges. Each answer waits until the hub has recorded the one
 * before: so what a no-show or a decision changes reaches the next judge alike on both sides.
 */
export interface PanelDriver {
  /** Answers the next case; undefined when there is none any more, a text when one is wrong. */
  answer(): Promise<Answered | undefined | string>;
  /** Waits until the hub recorded an answer, then records it here; a text when it never does. */
  takeDown(answered: Answered): Promise<string | undefined>;
  /** Lets go of who was not answered, and waits for the end of the job. */
  end(): Promise<void>;
}

export interface Answered {
  readonly call: CallDue;
  readonly vote: Vote | undefined;
}

export interface Place {
  readonly site: Site;
  readonly names: Names;
  readonly model: Model;
}

/** `job` is under way. */
export function openPanelDriver({ site, names, model }: Place, job: Promise<void>): PanelDriver {
  let isOver = false;
  const calling = job.finally(() => (isOver = true));
  calling.catch(() => undefined);
  return {
    async answer() {
      const due = callsDue(model);
      const expected = Math.max(1, Math.min(OUT_MAX, due.length));
      const came = await soon(() => isOver || site.cases.length >= expected);
      if (!came) return `${expected} judges are due, ${site.cases.length} were called`;
      if (isOver) return undefined;
      const { call, received } = first(site, names, [...due, ...callsLetGo(model)]);
      if (call === undefined) {
        const known = due.map((each) => reportedOf(each, names)).join('; ');
        return `a judge was called that was not due: ${JSON.stringify(received)}; due: ${known}`;
      }
      const vote = voteOn(model, call, received.nth);
      received.answer(agentOf(model, call.panelist.agent).conduct, vote);
      return { call, vote };
    },
    async takeDown({ call, vote }) {
      const account = site.accounts[call.panelist.agent] ?? '';
      const attemptId = names.ids.get(call.round.attempt.name) ?? '';
      const isHeard = async (): Promise<boolean> =>
        isOver || !(await site.isOut(attemptId, account));
      if (!(await soon(isHeard))) return `never taken down: ${reportedOf(call, names)}`;
      hear(model, call, vote);
      return undefined;
    },
    async end() {
      for (const each of site.cases.splice(0)) each.answer('closed', undefined);
      await calling;
    },
  };
}

/** Calls every judge that is due and records the answers, with which the seats must agree. */
export async function callJudges(place: Place): Promise<readonly string[]> {
  const isCourtDay = callsDue(place.model).length > 0;
  const sitting = openPanelDriver(place, place.site.runJob('panelCalls'));
  const wrong: string[] = [];
  while (wrong.length === 0) {
    const answered = await sitting.answer();
    if (answered === undefined) break;
    const fault = typeof answered === 'string' ? answered : await sitting.takeDown(answered);
    if (fault !== undefined) wrong.push(fault);
  }
  await sitting.end();
  const left = callsDue(place.model).length;
  if (left > 0 && wrong.length === 0) wrong.push(`${left} judges were not called`);
  // Before synthetic cases go out: one that is answered well takes a pause back.
  if (isCourtDay && wrong.length === 0)
    wrong.push(...(await compareSeats(place.site, place.model)));
  return wrong;
}

/** The first of the cases that came in, in an order that does not depend on how they came. */
function first(
  site: Site,
  names: Names,
  due: readonly CallDue[],
): { readonly received: Case; readonly call: CallDue | undefined } {
  const found = due
    .map((call) => ({ call, received: site.cases.find((each) => isOf(each, call, names)) }))
    .find(({ received }) => received !== undefined);
  const received = found?.received ?? site.cases[0];
  if (received === undefined) throw new Error('no case came in');
  site.cases.splice(site.cases.indexOf(received), 1);
  return { received, call: found?.call };
}

function isOf({ endpoint, attemptId }: Case, { panelist, round }: CallDue, names: Names): boolean {
  const { name } = round.attempt;
  return names.endpointOf(panelist.agent) === endpoint && names.ids.get(name) === attemptId;
}

function reportedOf({ panelist, round }: CallDue, names: Names): string {
  return `${names.endpointOf(panelist.agent)} about ${names.ids.get(round.attempt.name)}`;
}

async function soon(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const until = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return true;
}
