import { useEffect } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { TASK_STATES } from '../../typescript/taskStates.ts';
import { count } from '../format.ts';
import { useLoad } from '../load.ts';
import { go } from '../navigation.ts';
import { usePages } from '../pages.ts';
import { FilterChips } from '../parts/chips.tsx';
import { Choice, Field } from '../parts/fields.tsx';
import { LongList } from '../parts/longList.tsx';
import { Account, Money, Time } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { Empty, With } from '../parts/states.tsx';
import { pathTo, type Query } from '../routes.ts';
import { reader } from '../session.ts';
import { T } from '../texts.ts';
import { stateWord } from '../texts/states.ts';
import { workTexts } from '../texts/work.ts';
import { isPitch, type ListedTask } from '../types.ts';
import { rememberBoard } from '../work/board.ts';
import { STARTER, Starters } from '../work/starters.tsx';
import { defined } from '../../../domain/defined.ts';

const MODES = ['open', 'exclusive'] as const;
const SORTS = ['oldest', 'reward', 'deadline'] as const;

/** The board: what is offered, by whom, for how much; the filters are in the address. */
export function Work({ route: { query } }: { readonly route: { readonly query: Query } }) {
  const filters = filtersOf(query);
  const isFolded = JSON.stringify(filters) === '{"state":"open"}';
  const board = usePages(`work ${JSON.stringify(filters)}`, async (page, signal) => {
    const asked = { ...filters, ...page };
    const { tasks, next } = unwrap(
      await reader.GET('/api/v1/tasks', { params: { query: asked }, signal }),
    );
    // They are one card above, unless a person asked for them.
    const items = isFolded ? tasks.filter(({ requester }) => requester !== STARTER) : tasks;
    return { items, next };
  });
  useEffect(() => rememberBoard(query), [query]);
  const set = (change: Readonly<Record<string, string>>): void =>
    go(pathTo('work', { ...query, after: undefined, ...change }), { replace: true });
  return (
    <>
      <div class="head">
        <h1>{workTexts.work.title}</h1>
        <OpenTasks />
        <a class="button main" href={pathTo('publish')}>
          {T.pages.publish}
        </a>
      </div>
      <p class="lead">{workTexts.work.lead}</p>
      <div class="filters" role="search" aria-label={workTexts.work.filters}>
        <Choice
          label={workTexts.work.state}
          value={filters.state ?? ''}
          options={[
            ['any', T.any],
            ...TASK_STATES.map((state) => [state, stateWord('task', state)] as const),
          ]}
          onChange={(state) => set({ state })}
        />
        <Choice
          label={workTexts.work.mode}
          value={filters.mode ?? ''}
          options={[
            ['', T.any],
            ...MODES.map((mode) => [mode, workTexts.work.modes[mode]] as const),
          ]}
          onChange={(mode) => set({ mode })}
        />
        <Field
          label={workTexts.work.skill}
          value={query['skill'] ?? ''}
          onInput={(skill) => set({ skill })}
        />
        <Field
          label={workTexts.work.tag}
          value={query['tag'] ?? ''}
          onInput={(tag) => set({ tag })}
        />
        <Choice
          label={workTexts.work.sort}
          value={query['sort'] ?? ''}
          options={[
            ['', workTexts.work.sorts.newest],
            ...SORTS.map((sort) => [sort, workTexts.work.sorts[sort]] as const),
          ]}
          onChange={(sort) => set({ sort })}
        />
        <Choice
          label={workTexts.work.who}
          value={query['requester'] ?? ''}
          options={[
            ['', T.any],
            [STARTER, workTexts.work.starters],
          ]}
          onChange={(requester) => set({ requester })}
        />
      </div>
      <FilterChips
        chips={chipsOf(filters)}
        remove={(name) => set({ [name]: '' })}
        clear={() => go(pathTo('work'), { replace: true })}
      />
      {isFolded && <Starters />}
      <With of={board}>
        {([first]) => (
          <>
            {filters.after !== undefined && (
              <p>
                <a href={pathTo('work', { ...query, after: undefined })}>{T.newest}</a>
              </p>
            )}
            {first?.items.length === 0 && first.next === undefined && (
              <Empty>
                {workTexts.work.none} <a href={pathTo('work')}>{workTexts.work.noneNext}</a>
              </Empty>
            )}
            <LongList
              of={board}
              keyOf={({ id }) => id}
              row={(task) => <Item task={task} hasState={filters.state === undefined} />}
            />
            <p class="quiet keys">{workTexts.work.keys}</p>
          </>
        )}
      </With>
    </>
  );
}

/** The same figure as on the first page, with the starter tasks that one card stands for. */
function OpenTasks() {
  const { value: stats } = useLoad('stats', async (signal) =>
    unwrap(await reader.GET('/api/v1/stats', { signal })),
  );
  return (
    <p class="quiet figure">
      {stats !== undefined && (
        <>
          <b>{count(stats.exchange.tasksOpen)}</b> {T.tasksOpen}
        </>
      )}
    </p>
  );
}

/** Returns the query for the hub, without the unknown words of the address. */
function filtersOf(query: Query) {
  const state = query['state'] ?? 'open';
  const known = TASK_STATES.find((name) => name === state);
  const mode = MODES.find((name) => name === query['mode']);
  const sort = SORTS.find((name) => name === query['sort']);
  const {
    skill = '',
    tag = '',
    requester = '',
    after = '',
  } = query as Readonly<Record<string, string>>;
  return {
    ...(known !== undefined && { state: known }),
    ...defined({ mode, sort }),
    ...(skill !== '' && { skill }),
    ...(tag !== '' && { tag }),
    ...(requester !== '' && { requester }),
    ...(after !== '' && { after }),
  };
}

/** Returns the filters in words; "open" is what the board shows anyway. */
function chipsOf({ state, mode, sort, skill, tag, requester }: ReturnType<typeof filtersOf>) {
  const W = workTexts.work;
  const named = (label: string, value: string | undefined): string | undefined =>
    value === undefined ? undefined : `${label}: ${value}`;
  const texts = {
    state: state === 'open' ? undefined : named(W.state, state && stateWord('task', state)),
    mode: named(W.mode, mode && W.modes[mode]),
    skill: named(W.skill, skill),
    tag: named(W.tag, tag),
    sort: named(W.sort, sort && W.sorts[sort]),
    requester: named(W.who, requester === STARTER ? W.starters : requester),
  };
  return Object.entries(texts).flatMap(([name, text]) =>
    text === undefined ? [] : { name, text },
  );
}

interface ItemProps {
  readonly task: ListedTask;
  /** The rows differ in their state, which no filter names for all of them. */
  readonly hasState: boolean;
}

function Item({ task, hasState }: ItemProps) {
  const { id, title, reward, state, requester, mode, requiredSkills, deadline, comments } = task;
  return (
    <article>
      <h2>
        <a href={pathTo(`work/${id}`)}>{title}</a>
      </h2>
      <p class="reward">
        {reward === undefined ? (
          workTexts.work.unpaid
        ) : (
          <Money units={reward.amount} network={reward.network} />
        )}
      </p>
      <p class="meta">
        {hasState && <StateBadge of="task" state={state} />}
        <span>{workTexts.work.modes[isPitch(task) ? 'pitch' : mode]}</span>
        <span>
          {workTexts.work.by} <Account name={requester} />
        </span>
        <span>
          {workTexts.work.until} <Time at={deadline} />
        </span>
        {requiredSkills.length > 0 && (
          <span>{workTexts.work.needs(requiredSkills.join(', '))}</span>
        )}
        {comments > 0 && <span>{workTexts.work.comments(comments)}</span>}
        {task.sandboxAgent === true && <span>{T.sandboxAgent}</span>}
      </p>
    </article>
  );
}
