import { useEffect, useRef, useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { count, milliseconds, percent } from '../format.ts';
import { CompareButton, Comparison, QueryContext } from '../listing/compare.tsx';
import { SubmitAgent } from '../listing/submit.tsx';
import { go } from '../navigation.ts';
import { usePages, type Page } from '../pages.ts';
import { FilterChips } from '../parts/chips.tsx';
import { Choice, Field } from '../parts/fields.tsx';
import { Fold } from '../parts/fold.tsx';
import { LongList } from '../parts/longList.tsx';
import { accessText } from '../listing/access.ts';
import { Meter } from '../parts/plots.tsx';
import { Section, Stranger, Time } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { Empty, With } from '../parts/states.tsx';
import { pathTo, type Query } from '../routes.ts';
import { reader } from '../session.ts';
import { T } from '../texts.ts';
import { agentTexts } from '../texts/agents.ts';
import { workTexts } from '../texts/work.ts';
import { listingActs } from '../texts/listingActs.ts';
import type { ListedAgent } from '../types.ts';
import { defined } from '../../../domain/defined.ts';

const S = listingActs.submit;

const TYPING_MS = 200;
const ACCESSES = ['open', 'paid', 'auth-required', 'closed', 'verified-open'] as const;
const KINDS = ['a2a', 'mcp'] as const;

/** The index of agents, searched as one types; the words are in the address. */
export function Agents({ route: { query } }: { readonly route: { readonly query: Query } }) {
  const [words, setWords] = useWords(query);
  const filters = filtersOf(query);
  // Without a filter an empty answer is an empty index.
  const isAll = Object.keys(filters).length === 0;
  const found = usePages(`agents ${JSON.stringify(filters)}`, async (page, signal) => {
    const asked = { ...filters, ...page };
    const {
      agents,
      folded = [],
      next,
    } = unwrap(await reader.GET('/api/v1/agents', { params: { query: asked }, signal }));
    const more = (id: string): number =>
      folded.reduce((sum, { under, count: n }) => (under === id ? sum + n : sum), 0);
    return { items: agents.map((agent) => ({ ...agent, more: more(agent.id) })), next };
  });
  const set = (change: Readonly<Record<string, string>>): void =>
    go(pathTo('agents', { ...query, after: undefined, ...change }), { replace: true });
  return (
    <>
      <h1>{agentTexts.agents.title}</h1>
      <p class="lead">{agentTexts.agents.lead}</p>
      <div class="filters" role="search" aria-label={workTexts.work.filters}>
        <Field label={agentTexts.agents.search} kind="search" value={words} onInput={setWords} />
        <Choice
          label={agentTexts.agents.access}
          value={filters.access ?? ''}
          options={[
            ['', T.any],
            ...ACCESSES.map((name) => [name, agentTexts.accesses[name]] as const),
          ]}
          onChange={(access) => set({ access })}
        />
        <Choice
          label={agentTexts.agents.kind}
          value={filters.kind ?? ''}
          options={[['', T.any], ...KINDS.map((name) => [name, agentTexts.kinds[name]] as const)]}
          onChange={(kind) => set({ kind })}
        />
        <Choice
          label={agentTexts.agents.reachable}
          value={query['all'] ?? ''}
          options={[
            ['', agentTexts.agents.answering],
            ['1', agentTexts.agents.all],
          ]}
          onChange={(all) => set({ all })}
        />
      </div>
      <FilterChips
        chips={chipsOf(filters)}
        remove={(name) => set({ [name]: '' })}
        clear={() => go(pathTo('agents'), { replace: true })}
      />
      <Comparison query={query} />
      <With of={found}>
        {(pages) => (
          <>
            <p role="status" class="quiet">
              {agentTexts.agents.found(countOf(pages), filters.q ?? '')}
            </p>
            {countOf(pages) === 0 && <Empty>{isAll ? S.empty : agentTexts.agents.none}</Empty>}
            <QueryContext.Provider value={query}>
              <LongList
                of={found}
                keyOf={({ id }) => id}
                row={(agent) => (
                  <Item agent={agent} query={query} hasState={filters.includeUnavailable} />
                )}
              />
            </QueryContext.Provider>
          </>
        )}
      </With>
      {isAll && found.value !== undefined && countOf(found.value) === 0 ? (
        <Section title={S.title} lead={S.how}>
          <SubmitAgent />
        </Section>
      ) : (
        <Fold title={S.title} lead={S.how}>
          <SubmitAgent />
        </Fold>
      )}
    </>
  );
}

/** With the listings that are folded under it. */
type Shown = ListedAgent & { readonly more: number };

const countOf = (pages: readonly Page<Shown>[]): number =>
  pages.reduce((sum, { items }) => sum + items.length, 0);

function useWords(query: Query): readonly [string, (words: string) => void] {
  const asked = query['q'] ?? '';
  const [words, setWords] = useState(asked);
  // An address that comes from here is already behind the fingers and must not undo what they typed.
  const sent = useRef(asked);
  useEffect(() => {
    if (asked !== sent.current) setWords(asked);
    sent.current = asked;
  }, [asked]);
  useEffect(() => {
    if (words === asked) return undefined;
    const later = (): void => {
      sent.current = words;
      go(pathTo('agents', { ...query, after: undefined, q: words }), { replace: true });
    };
    const timer = setTimeout(later, TYPING_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return [words, setWords];
}

function filtersOf(query: Query) {
  const { q = '', all = '', fold = '', after = '' } = query as Readonly<Record<string, string>>;
  const access = ACCESSES.find((name) => name === query['access']);
  const kind = KINDS.find((name) => name === query['kind']);
  return {
    ...(q !== '' && { q }),
    ...defined({ access, kind }),
    ...(all === '1' && { includeUnavailable: true }),
    ...(fold === '0' && { fold: false }),
    ...(/^[1-9]\d{0,5}$/.test(after) && { after }),
  };
}

/** Returns the choices in words; the words of the search stand in their field already. */
function chipsOf({ access, kind, includeUnavailable, fold }: ReturnType<typeof filtersOf>) {
  const A = agentTexts.agents;
  return [
    ...(access === undefined
      ? []
      : [{ name: 'access', text: `${A.access}: ${agentTexts.accesses[access]}` }]),
    ...(kind === undefined ? [] : [{ name: 'kind', text: `${A.kind}: ${agentTexts.kinds[kind]}` }]),
    ...(includeUnavailable === true ? [{ name: 'all', text: A.all }] : []),
    ...(fold === false ? [{ name: 'fold', text: A.unfolded }] : []),
  ];
}

interface ItemProps {
  readonly agent: Shown;
  readonly query: Query;
  /** Agents that do not answer are among the rows; otherwise "live" is what the filter means. */
  readonly hasState: boolean | undefined;
}

function Item({ agent, query, hasState = false }: ItemProps) {
  const { id, name, description, availability, uptime, latencyMs, access, kind, skills } = agent;
  return (
    <article>
      <h2>
        <a href={pathTo(`agents/${id}`)}>{name}</a>
      </h2>
      {(hasState || availability !== 'live') && (
        <p class="reward">
          <StateBadge of="listing" state={availability} />
        </p>
      )}
      {description !== undefined && <Stranger text={description} />}
      {agent.more > 0 && (
        <p class="quiet">
          <a href={pathTo('agents', { ...query, fold: '0' })}>
            {agentTexts.agents.more(agent.more)}
          </a>
        </p>
      )}
      <p class="meta">
        <span>{agentTexts.kinds[kind]}</span>
        <span>{accessText({ access, skills })}</span>
        <span title={agentTexts.agents.uptime}>
          <Meter ratio={uptime} text={percent(uptime)} /> {agentTexts.agents.seenFor(agent)}
        </span>
        <span title={agentTexts.agents.latency}>{milliseconds(latencyMs)}</span>
        <span>{agentTexts.agents.tools(skills.length + agent.skillsOmitted)}</span>
        <span>{agentTexts.agents.callsOf(count(agent.use.calls30d))}</span>
        <span>
          {agentTexts.agents.checked} <Time at={agent.lastCheckedAt} />
        </span>
        <CompareButton agent={agent} />
      </p>
    </article>
  );
}
