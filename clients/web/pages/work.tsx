import { useEffect } from 'preact/hooks';
import { TASK_STATES, unwrap } from '../../typescript/index.ts';
import { go } from '../navigation.ts';
import { usePages } from '../pages.ts';
import { Choice, Field } from '../parts/fields.tsx';
import { LongList } from '../parts/longList.tsx';
import { Account, Money, StateBadge, Time } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { pathTo, type Query } from '../routes.ts';
import { reader } from '../session.ts';
import { T } from '../texts.ts';
import { isPitch, type ListedTask } from '../types.ts';
import { rememberBoard } from '../work/board.ts';
import { STARTER, Starters } from '../work/starters.tsx';

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
      <h1>{T.work.title}</h1>
      <p class="lead">
        {T.work.lead} <a href={pathTo('publish')}>{T.pages.publish}</a>
      </p>
      <div class="filters" role="search" aria-label={T.work.filters}>
        <Choice
          label={T.work.state}
          value={filters.state ?? ''}
          options={[
            ['any', T.any],
            ...TASK_STATES.map((state) => [state, T.states[state] ?? state] as const),
          ]}
          onChange={(state) => set({ state })}
        />
        <Choice
          label={T.work.mode}
          value={filters.mode ?? ''}
          options={[['', T.any], ...MODES.map((mode) => [mode, T.work.modes[mode]] as const)]}
          onChange={(mode) => set({ mode })}
        />
        <Field
          label={T.work.skill}
          value={query['skill'] ?? ''}
          onInput={(skill) => set({ skill })}
        />
        <Field label={T.work.tag} value={query['tag'] ?? ''} onInput={(tag) => set({ tag })} />
        <Choice
          label={T.work.sort}
          value={query['sort'] ?? ''}
          options={[
            ['', T.work.sorts.newest],
            ...SORTS.map((sort) => [sort, T.work.sorts[sort]] as const),
          ]}
          onChange={(sort) => set({ sort })}
        />
        <Choice
          label={T.work.who}
          value={query['requester'] ?? ''}
          options={[
            ['', T.any],
            [STARTER, T.work.starters],
          ]}
          onChange={(requester) => set({ requester })}
        />
      </div>
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
                {T.work.none} <a href={pathTo('work')}>{T.work.noneNext}</a>
              </Empty>
            )}
            <LongList of={board} keyOf={({ id }) => id} row={(task) => <Item task={task} />} />
          </>
        )}
      </With>
    </>
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
    ...(mode !== undefined && { mode }),
    ...(sort !== undefined && { sort }),
    ...(skill !== '' && { skill }),
    ...(tag !== '' && { tag }),
    ...(requester !== '' && { requester }),
    ...(after !== '' && { after }),
  };
}

function Item({ task }: { readonly task: ListedTask }) {
  const { id, title, reward, state, requester, mode, requiredSkills, deadline, comments } = task;
  return (
    <article>
      <h2>
        <a href={pathTo(`work/${id}`)}>{title}</a>
      </h2>
      <p class="reward">
        {reward === undefined ? (
          T.work.unpaid
        ) : (
          <Money units={reward.amount} network={reward.network} />
        )}
      </p>
      <p class="meta">
        <StateBadge state={state} />
        <span>{T.work.modes[isPitch(task) ? 'pitch' : mode]}</span>
        <span>
          {T.work.by} <Account name={requester} />
        </span>
        <span>
          {T.work.until} <Time at={deadline} />
        </span>
        {requiredSkills.length > 0 && <span>{T.work.needs(requiredSkills.join(', '))}</span>}
        {comments > 0 && <span>{T.work.comments(comments)}</span>}
        {task.sandboxAgent === true && <span>{T.sandboxAgent}</span>}
      </p>
    </article>
  );
}
