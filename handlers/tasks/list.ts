import {
  listTasks,
  type ListedTask,
  type TaskFilter,
  type TaskPlace,
  type TaskSort,
} from '../../db/tasks/listing.ts';
import { defined } from '../../domain/defined.ts';
import { TASK_STATES, type Task, type TaskState } from '../../domain/tasks/model.ts';
import { wantedWords } from '../../domain/tasks/words.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { settleDueTasks } from '../../workflows/tasks/due.ts';
import { envelopeOf, isReadAtOnce, jsonBytes, readPage } from '../page.ts';
import { leftOutOf } from '../leftOut.ts';
import { spanOf } from '../span.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';
import { presentTask } from './present/task.ts';
import { withoutBrief } from './present/withheld.ts';

/** Bytes that a task has at most beside its texts. */
const TASK_BYTES = 4_096;

export const list: Handler<'tasks.list'> = async (call, hub) => {
  const { limit, network, sort } = call.query;
  const wanted = wantedIn(call);
  const filter = filterOf(call, wanted?.words);
  const from = placeAfter(call);
  if (network !== undefined) networkNamed(hub, network, 'query.network');
  let page = await pageOf(hub, filter, { sort, from, limit });
  if (page.isBehind) {
    await settleDueTasks(hub);
    page = await pageOf(hub, filter, { sort, from, limit });
  }
  const { rows, more } = page;
  const now = hub.clock.now();
  return {
    status: 200,
    body: {
      ...envelopeOf({ rows, more }, limit, ({ task }) => cursor(placeOf(task, sort))),
      tasks: rows.map(({ task, live }) =>
        withoutBrief(presentTask({ task, live }, now), task, { seesBrief: false }),
      ),
      ...leftOutOf(wanted?.leftOut),
      ...UNTRUSTED_TEXTS,
    },
  };
};

interface Wanted {
  readonly sort: TaskSort;
  readonly from: TaskPlace | undefined;
  readonly limit: number;
}

/**
 * A page, and whether the clock has decided about a task that nothing was done about yet; an empty
 * page does not know. What a condition chooses from many may take long, and goes to a reader of its
 * own (choices store.units).
 */
async function pageOf(hub: Hub, filter: TaskFilter, { sort, from, limit }: Wanted) {
  const now = hub.clock.now();
  const isShort = isReadAtOnce(limit) && Object.keys(filter).every((name) => name === 'states');
  const { read: readSeveral, readOne } = hub.store;
  const read = isShort ? readOne : readSeveral;
  const page = await readPage<ListedTask>({
    limit,
    read: (last, count) => {
      const after = last === undefined ? from : placeOf(last.task, sort);
      return read((db) => listTasks(db, filter, { sort, after, limit: count, now }));
    },
    weigh: ({ task: { description, input, acceptance } }) =>
      TASK_BYTES + jsonBytes([description, input, acceptance]),
  });
  const [first] = page.rows;
  return { ...page, isBehind: first === undefined || first.isBehind };
}

function wantedIn({ query: { q } }: Call<'tasks.list'>) {
  const wanted = q === undefined ? undefined : wantedWords(q);
  if (wanted?.words.length === 0) {
    refuse('unknown-filter', {
      error: `query.q has no word of two letters or digits; got ${JSON.stringify(q)}.`,
      field: 'query.q',
    });
  }
  return wanted;
}

function filterOf({ query }: Call<'tasks.list'>, words: readonly string[] | undefined): TaskFilter {
  const {
    limit: _limit,
    cursor: _cursor,
    after: _after,
    sort: _sort,
    state,
    q: _q,
    tag,
    tags: several,
    from,
    to,
    ...rest
  } = query;
  const tags = [...(tag === undefined ? [] : [tag]), ...(several?.split(',') ?? [])];
  return {
    ...rest,
    ...(state !== undefined && { states: statesOf(state) }),
    ...(tags.length > 0 && { tags: [...new Set(tags.map((each) => each.toLowerCase()))] }),
    ...defined({ words, ...spanOf({ from, to }) }),
  };
}

function statesOf(text: string): readonly TaskState[] {
  return [...new Set(text.split(','))].map(
    (name) =>
      TASK_STATES.find((state) => state === name) ??
      refuse('unknown-filter', {
        error: `query.state must be one of ${TASK_STATES.join(', ')}, or several with commas; got ${JSON.stringify(name)}.`,
        field: 'query.state',
        allowed: [...TASK_STATES],
      }),
  );
}

/** An order by a value needs that value in its cursor, and an order by age has none. */
function placeAfter({ query }: Call<'tasks.list'>): TaskPlace | undefined {
  const { cursor: after, sort } = query;
  if (after === undefined) return undefined;
  const [id = '', by] = after.split('.').reverse();
  if (hasValue(sort) === (by !== undefined)) return { id, ...defined({ by }) };
  return refuse('not-together', {
    error: `query.cursor is the cursor of another order than query.sort ${sort}.`,
    hint: 'Send the same `sort` as for the page that gave the cursor, or leave `cursor` out.',
    field: 'query.cursor',
  });
}

function hasValue(sort: TaskSort): boolean {
  return sort === 'reward' || sort === 'deadline';
}

function placeOf({ id, reward, deadline }: Task, sort: TaskSort): TaskPlace {
  if (sort === 'reward') return { id, by: `${reward?.amount ?? 0}` };
  return sort === 'deadline' ? { id, by: `${deadline}` } : { id };
}

function cursor({ by, id }: TaskPlace): string {
  return by === undefined ? id : `${by}.${id}`;
}
