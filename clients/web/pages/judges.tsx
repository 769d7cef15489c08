import { useState } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { count, milliseconds, percent } from '../format.ts';
import { Cases } from '../judging/cases.tsx';
import { OwnSeat } from '../judging/ownSeat.tsx';
import { useLoad } from '../load.ts';
import { Account, Badge, Money, ScrolledTable, Section } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { Empty, With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { reader, useSession } from '../session.ts';
import { T } from '../texts.ts';
import { moreTexts } from '../texts/more.ts';
import type { Got, Me } from '../types.ts';

type Judge = Got<'/api/v1/validators'>['validators'][number];

const LIMIT = 50;
const EVERY_MS = 10_000;

export function Judges() {
  const session = useSession();
  const [order, setOrder] = useState<Order>('newest');
  const judges = useLoad(`judges ${order}`, async (signal) => {
    const params = { query: { limit: LIMIT, order } };
    return unwrap(await reader.GET('/api/v1/validators', { params, signal }));
  });
  return (
    <>
      <h1>{moreTexts.judges.title}</h1>
      <p class="lead">{moreTexts.judges.lead}</p>
      {session.state === 'open' && (
        <Signed hub={session.hub} account={session.account} changed={judges.reload} />
      )}
      <Section title={moreTexts.judges.seats} aside={<Ordered order={order} choose={setOrder} />}>
        <With of={judges}>
          {({ validators }) =>
            validators.length === 0 ? (
              <Empty>{moreTexts.judges.none[order]}</Empty>
            ) : (
              <Seats judges={validators} />
            )
          }
        </With>
      </Section>
    </>
  );
}

const ORDERS = ['newest', 'reliability'] as const;
type Order = (typeof ORDERS)[number];

interface OrderedProps {
  readonly order: Order;
  readonly choose: (order: Order) => void;
}

function Ordered({ order, choose }: OrderedProps) {
  return (
    <label>
      {moreTexts.judges.order}{' '}
      <select
        value={order}
        onChange={({ currentTarget }) =>
          choose(ORDERS.find((each) => each === currentTarget.value) ?? 'newest')
        }
      >
        {ORDERS.map((each) => (
          <option key={each} value={each}>
            {moreTexts.judges.orders[each]}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SignedProps {
  readonly hub: Hub;
  readonly account: string;
  readonly changed: () => void;
}

function Signed({ hub, account, changed }: SignedProps) {
  const me = useLoad(
    `me ${account}`,
    async (signal) => unwrap(await hub.GET('/api/v1/me', { signal })),
    EVERY_MS,
  );
  const reload = (): void => {
    me.reload();
    changed();
  };
  return (
    <>
      <Section title={moreTexts.judges.yours} lead={moreTexts.judges.yoursLead}>
        <With of={me}>{(value) => <OwnSeat hub={hub} me={value} changed={reload} />}</With>
      </Section>
      {/* A retired seat still rules what it was drawn for; a closed one is not drawn. */}
      {hasCases(me.value?.validatorSeat) && <Cases hub={hub} own={account} />}
    </>
  );
}

function hasCases(seat: Me['validatorSeat']): boolean {
  return seat !== undefined && seat.state !== 'closed';
}

function Seats({ judges }: { readonly judges: readonly Judge[] }) {
  return (
    <ScrolledTable label={moreTexts.judges.seats}>
      <thead>
        <tr>
          <th scope="col">{moreTexts.judges.judge}</th>
          <th scope="col">{moreTexts.judges.state}</th>
          <th scope="col" class="number">
            {moreTexts.judges.stake}
          </th>
          <th scope="col" class="number">
            {moreTexts.judges.ceiling}
          </th>
          <th scope="col" class="number">
            {moreTexts.judges.reliability}
          </th>
          <th scope="col">{moreTexts.judges.agreed}</th>
          <th scope="col" class="number">
            {moreTexts.judges.noShows}
          </th>
          <th scope="col">{moreTexts.judges.answers}</th>
        </tr>
      </thead>
      <tbody>
        {judges.map((judge) => (
          <Seat key={judge.id} judge={judge} />
        ))}
      </tbody>
    </ScrolledTable>
  );
}

function Seat({ judge }: { readonly judge: Judge }) {
  const { id, account, sandboxAgent, state, paused, pausedReason, stake, ceiling, network } = judge;
  const { record, reliabilityBps } = judge;
  const { rounds, agreed, noShows, medianAnswerMs } = record;
  return (
    <tr>
      <td>
        <Account name={account} />
        {sandboxAgent === true && <div class="quiet">{T.sandboxAgent}</div>}
        <div>
          <a href={pathTo(`judges/${id}`)} aria-label={`${moreTexts.judges.details} ${account}`}>
            {moreTexts.judges.details}
          </a>
        </div>
      </td>
      <td>
        {paused ? (
          <Badge tone="wait">{moreTexts.judges.paused(pausedReason ?? '')}</Badge>
        ) : (
          <StateBadge of="judge" state={state} />
        )}
      </td>
      <td class="number">
        <Money units={stake} network={network} />
      </td>
      <td class="number">
        <Money units={ceiling} network={network} />
      </td>
      <td class="number">
        {reliabilityBps === undefined ? moreTexts.judges.notYet : percent(reliabilityBps / 10_000)}
      </td>
      <td>
        {rounds === 0
          ? moreTexts.judges.notYet
          : moreTexts.judges.agreedOf(agreed, rounds, percent(agreed / rounds))}
      </td>
      <td class="number">{count(noShows)}</td>
      <td>
        {medianAnswerMs === undefined ? moreTexts.judges.notYet : milliseconds(medianAnswerMs)}
      </td>
    </tr>
  );
}
