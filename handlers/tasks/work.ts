import { liveAttemptsOf } from '../../db/tasks/attempts.ts';
import { disputesOf } from '../../db/tasks/disputes.ts';
import { attemptsBy, casesOf, tasksBy, tasksOf } from '../../db/tasks/work.ts';
import { tasksOfferedTo, type WorkPlace } from '../../db/tasks/work.ts';
import { tasksWonBy } from '../../db/tasks/pitches.ts';
import type { StoredTask } from '../../db/tasks/taskRow.ts';
import type { Reader } from '../../db/store.ts';
import type { TaskAggregate } from '../../domain/tasks/model.ts';
import { STATES_OF, WORK_ROLES, type WorkRole, type WorkState } from '../../domain/tasks/work.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { settleDueTasks } from '../../workflows/tasks/due.ts';
import { cutPage, envelopeOf } from '../page.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';
import {
  presentAttemptWork,
  presentCase,
  presentInvitedWork,
  presentTaskWork,
  presentWonWork,
} from './present/work.ts';

type WorkItem = Schemas['WorkItem'];

/** Returns the signer's work; each part is one query for all that its page needs. */
export const work: Handler<'tasks.work'> = async (call, hub) => {
  const { role, limit } = call.query;
  const state = stateOf(call);
  await settleDueTasks(hub);
  const items = await hub.store.read((db) => itemsOf(hub, db, call, state));
  const { shown: page, more } = cutPage(items, limit, (item) => item);
  return {
    status: 200,
    body: {
      role: role ?? page[0]?.role ?? 'worker',
      ...envelopeOf({ rows: page, more }, limit, ({ id }) => id),
      work: page,
      ...UNTRUSTED_TEXTS,
    },
  };
};

/** The state that is asked for; refuses one that work of this role never has. */
function stateOf({ query: { role, state } }: Call<'tasks.work'>): WorkState | 'any' {
  if (state === undefined) return 'any';
  if (role === undefined) return state;
  const allowed = STATES_OF[role];
  if (allowed.includes(state)) return state;
  return refuse('not-together', {
    error: `Work of a ${role} is never ${state}; with this role query.state is one of ${allowed.join(', ')}.`,
    hint: `Leave query.state out, or ask with another role.`,
    field: 'query.state',
    allowed: [...allowed],
  });
}

/** One more than the page holds, so that it knows whether the list goes on. */
async function itemsOf(
  hub: Hub,
  db: Reader,
  { query, caller: { account } }: Call<'tasks.work'>,
  state: WorkState | 'any',
): Promise<readonly WorkItem[]> {
  const place = { account, before: query.cursor, limit: query.limit + 1 };
  const found: WorkItem[] = [];
  for (const role of query.role === undefined ? WORK_ROLES : [query.role]) {
    if (state !== 'any' && !STATES_OF[role].includes(state)) continue;
    found.push(...(await PARTS[role](hub, db, state, place)));
  }
  return found.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, place.limit);
}

type Part = (
  hub: Hub,
  db: Reader,
  state: WorkState | 'any',
  place: WorkPlace,
) => Promise<readonly WorkItem[]>;

const PARTS: Readonly<Record<WorkRole, Part>> = {
  async worker(hub, db, state, place) {
    const isWon = state === 'any' || state === 'open';
    const won = isWon ? await tasksWonBy(db, place) : [];
    const invited = isWon ? await tasksOfferedTo(db, place) : [];
    const attempts = state === 'open' ? [] : await attemptsBy(db, state, place);
    const found = await aggregatesOf(db, await tasksOf(db, idsOf(attempts)));
    return [
      ...invited.map(({ task }) => presentInvitedWork(hub, task, place.account)),
      ...won.map(({ task }) => presentWonWork(hub, task, place.account)),
      ...attempts.map((each) => presentAttemptWork(hub, each, of(found, each.taskId))),
    ];
  },
  async requester(hub, db, state, place) {
    const tasks = state === 'announced' ? [] : await tasksBy(db, state, place);
    const found = await aggregatesOf(db, new Map(tasks.map((each) => [each.task.id, each])));
    return [...found.values()].map((each) => presentTaskWork(hub, each));
  },
  async judge(hub, db, _state, place) {
    const owed = await casesOf(db, place);
    const found = await aggregatesOf(db, await tasksOf(db, idsOf(owed)));
    return owed.map((each) => presentCase(hub, each, of(found, each.taskId), place.account));
  },
};

function idsOf(items: readonly { readonly taskId: string }[]): readonly string[] {
  return [...new Set(items.map(({ taskId }) => taskId))];
}

async function aggregatesOf(
  db: Reader,
  tasks: ReadonlyMap<string, StoredTask>,
): Promise<ReadonlyMap<string, TaskAggregate>> {
  const live = await liveAttemptsOf(db, [...tasks.keys()]);
  const frozen = [...tasks.values()].filter(({ task }) => task.state === 'disputed');
  const disputes = await disputesOf(
    db,
    frozen.map(({ task }) => task.id),
  );
  return new Map(
    [...tasks].map(([id, { task }]) => {
      const dispute = disputes.get(id)?.dispute;
      return [id, { task, live: live.get(id) ?? [], ...(dispute && { dispute }) }];
    }),
  );
}

function of(found: ReadonlyMap<string, TaskAggregate>, taskId: string): TaskAggregate {
  const aggregate = found.get(taskId);
  if (aggregate === undefined) throw new Error(`work on the task ${taskId}, which is not there`);
  return aggregate;
}
