import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { count, milliseconds, percent, usdc } from '../format.ts';
import { useLoad } from '../load.ts';
import { go } from '../navigation.ts';
import { ScrolledTable, Section } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { With } from '../parts/states.tsx';
import { pathTo, type Query } from '../routes.ts';
import { reader } from '../session.ts';
import { agentTexts } from '../texts/agents.ts';
import { workTexts } from '../texts/work.ts';
import { listingActs } from '../texts/listingActs.ts';
import type { Got, ListedAgent, Listing } from '../types.ts';
import { accessText } from './access.ts';

const C = listingActs.compare;
const ID = /^[A-Za-z0-9:_-]{1,128}$/;
const TWO = 2;

/** The agents that the address compares, at most two. */
function comparedIn(query: Query): readonly string[] {
  const ids = (query['compare'] ?? '').split(',').filter((id) => ID.test(id));
  return [...new Set(ids)].slice(0, TWO);
}

function withCompared(query: Query, ids: readonly string[]): string {
  return pathTo('agents', { ...query, compare: ids.join(',') });
}

/** The query of the page, for the buttons of its rows, which are not drawn again for it. */
export const QueryContext = createContext<Query>({});

/** Puts an agent beside another one; a third replaces the second. */
export function CompareButton({ agent: { id, name } }: { readonly agent: ListedAgent }) {
  const query = useContext(QueryContext);
  const ids = comparedIn(query);
  const isIn = ids.includes(id);
  const next = isIn ? ids.filter((each) => each !== id) : [...ids.slice(0, TWO - 1), id];
  return (
    <button
      type="button"
      class="small"
      aria-pressed={isIn}
      onClick={() => go(withCompared(query, next), { replace: true })}
    >
      {isIn ? C.remove : C.add}
      <span class="unseen">{C.of(name)}</span>
    </button>
  );
}

type Reputation = Got<'/api/v1/agents/{id}/reputation'>;
interface Side {
  readonly listing: Listing;
  readonly reputation: Reputation;
}

export function Comparison({ query }: { readonly query: Query }) {
  const ids = comparedIn(query);
  const sides = useLoad(`compare ${ids.join(' ')}`, async (signal) =>
    Promise.all(
      ids.map(async (id): Promise<Side> => {
        const init = { params: { path: { id } }, signal };
        const [listing, reputation] = await Promise.all([
          reader.GET('/api/v1/agents/{id}', init),
          reader.GET('/api/v1/agents/{id}/reputation', init),
        ]);
        return { listing: unwrap(listing), reputation: unwrap(reputation) };
      }),
    ),
  );
  if (ids.length === 0) return null;
  return (
    <Section
      title={C.title}
      aside={
        <button
          type="button"
          class="small"
          onClick={() => go(withCompared(query, []), { replace: true })}
        >
          {C.close}
        </button>
      }
    >
      {ids.length < TWO && <p role="status">{C.one}</p>}
      <With of={sides}>{(found) => <Beside sides={found} />}</With>
    </Section>
  );
}

function Beside({ sides }: { readonly sides: readonly Side[] }) {
  return (
    <ScrolledTable label={C.title}>
      <thead>
        <tr>
          <td />
          {sides.map(({ listing: { id, name } }) => (
            <th key={id} scope="col">
              <a href={pathTo(`agents/${id}`)}>{name}</a>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ROWS.map(([label, show]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {sides.map((side) => (
              <td key={side.listing.id}>{show(side)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  );
}

const ROWS = [
  [
    workTexts.work.state,
    ({ listing }: Side) => <StateBadge of="listing" state={listing.availability} />,
  ],
  [agentTexts.agents.kind, ({ listing }: Side) => agentTexts.kinds[listing.kind]],
  [agentTexts.agents.access, ({ listing }: Side) => accessText(listing)],
  [agentTexts.agents.uptime, ({ listing }: Side) => percent(listing.uptime)],
  [agentTexts.agents.latency, ({ listing }: Side) => milliseconds(listing.latencyMs)],
  [C.tools, ({ listing }: Side) => count(listing.skills.length + listing.skillsOmitted)],
  [C.cheapest, ({ listing }: Side) => cheapestOf(listing)],
  [C.calls, ({ listing }: Side) => count(listing.use.calls30d)],
  [C.served, ({ reputation: { calls } }: Side) => agentTexts.agents.okOf(calls.ok, calls.calls)],
  [
    C.reviews,
    ({ reputation: { reviews } }: Side) =>
      reviews.average === undefined
        ? C.noReviews
        : agentTexts.agents.reviewsOf(reviews.average, reviews.count),
  ],
  [
    agentTexts.agents.karma,
    ({ reputation: { karma } }: Side) => `${count(karma.total)} (${karma.tier})`,
  ],
  [agentTexts.agents.quality, ({ listing }: Side) => percent(listing.cardQuality)],
] as const;

function cheapestOf({ skills }: Listing): string {
  const prices = skills.flatMap(({ price }) => (price?.asset === 'USDC' ? [price.amount] : []));
  const [cheapest] = prices.sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  return cheapest === undefined ? C.free : `${usdc(cheapest)} USDC`;
}
