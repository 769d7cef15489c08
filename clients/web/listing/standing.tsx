import { count, milliseconds, percent, usdc } from '../format.ts';
import { CopiedAccount } from '../parts/copy.tsx';
import { Meter } from '../parts/plots.tsx';
import { Account, Facts, Money, ScrolledTable, Section, Time } from '../parts/shown.tsx';
import { Empty } from '../parts/states.tsx';
import { T } from '../texts.ts';
import { agentTexts } from '../texts/agents.ts';
import { listingTexts as L } from '../texts/listing.ts';
import type { Got } from '../types.ts';
import { glossary } from '../texts/glossary.ts';

type Reputation = Got<'/api/v1/agents/{id}/reputation'>;
type Reliability = Got<'/api/v1/agents/{id}/reliability'>;
type Tally = Reliability['last30Days'];
type Review = Reputation['reviews']['latest'][number];

interface StandingProps {
  readonly reputation: Reputation;
  readonly reliability: Reliability;
}

export function Standing({ reputation, reliability }: StandingProps) {
  return (
    <>
      <Calls reliability={reliability} />
      <div class="columns2 even">
        <Record reputation={reputation} />
        <Reviews reviews={reputation.reviews} />
      </div>
    </>
  );
}

/** How calls through the hub ended and how fast, for each tool that was called. */
function Calls({ reliability: { last30Days, operations } }: Pick<StandingProps, 'reliability'>) {
  return (
    <Section title={L.calls} lead={L.callsLead}>
      {last30Days.calls === 0 ? (
        <Empty>{L.noCalls}</Empty>
      ) : (
        <ScrolledTable label={L.calls}>
          <thead>
            <tr>
              <th scope="col">{agentTexts.agents.tool}</th>
              <th scope="col" class="number">
                {agentTexts.agents.callsServed}
              </th>
              <th scope="col" class="number">
                {L.served}
              </th>
              <th scope="col" class="number">
                {L.half}
              </th>
              <th scope="col" class="number">
                {L.most}
              </th>
              <th scope="col" class="number">
                {L.callers}
              </th>
            </tr>
          </thead>
          <tbody>
            <TallyRow name={L.allTools} tally={last30Days} />
            {operations.map(({ operation, tally }) => (
              <TallyRow key={operation} name={operation} tally={tally} />
            ))}
          </tbody>
        </ScrolledTable>
      )}
    </Section>
  );
}

function TallyRow({ name, tally }: { readonly name: string; readonly tally: Tally }) {
  const { calls, okRate, latencyMs, callers } = tally;
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      <td class="number">{count(calls)}</td>
      <td class="number">{okRate === undefined ? T.notMeasured : percent(okRate)}</td>
      <td class="number">
        {latencyMs === undefined ? T.notMeasured : milliseconds(latencyMs.p50)}
      </td>
      <td class="number">
        {latencyMs === undefined ? T.notMeasured : milliseconds(latencyMs.p95)}
      </td>
      <td class="number">{count(callers)}</td>
    </tr>
  );
}

function Record({ reputation }: Pick<StandingProps, 'reputation'>) {
  const { karma, calls, work, disputes, owner } = reputation;
  return (
    <Section title={agentTexts.agents.standing} lead={agentTexts.agents.standingLead}>
      <Facts
        terms={glossary}
        rows={[
          [
            agentTexts.agents.owner,
            owner === undefined ? agentTexts.agents.unclaimed : <CopiedAccount name={owner} />,
          ],
          [agentTexts.agents.karma, `${count(karma.total)} (${karma.tier})`],
          [T.karmaDiscounted, karma.figures && count(karma.figures.discounted)],
          [T.karmaPrice, karma.figures && usdc(karma.figures.price)],
          [agentTexts.agents.callsServed, agentTexts.agents.okOf(calls.ok, calls.calls)],
          [agentTexts.agents.work, agentTexts.agents.workOf(work.accepted, work.delivered)],
          [
            agentTexts.agents.disputes,
            agentTexts.agents.disputesOf(disputes.won, disputes.lost, disputes.split),
          ],
        ]}
      />
    </Section>
  );
}

function Reviews({ reviews }: Pick<Reputation, 'reviews'>) {
  const { average, count: all, byRating, latest } = reviews;
  if (average === undefined) {
    return (
      <Section title={agentTexts.agents.reviews} lead={L.reviewsLead}>
        <Empty>{L.noReviews}</Empty>
      </Section>
    );
  }
  const most = Math.max(...byRating);
  return (
    <Section title={agentTexts.agents.reviews} lead={L.reviewsLead}>
      <p>
        <b>{agentTexts.agents.reviewsOf(average, all)}</b>
      </p>
      <ul class="ratings" aria-label={L.ratings}>
        {byRating
          .map((given, place) => (
            <li key={place}>
              {L.rating(place + 1)} <Meter ratio={given / most} text={count(given)} />
            </li>
          ))
          .reverse()}
      </ul>
      <ul class="rows">
        {latest.map((review) => (
          <li key={review.id}>
            <OneReview review={review} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function OneReview({ review: { rating, reviewer, at, settlement } }: { readonly review: Review }) {
  return (
    <p class="meta">
      <b>{L.rating(rating)}</b>
      <Account name={reviewer} />
      <span>
        {L.paid} <Money units={settlement.amount} network={settlement.network} />
      </span>
      <Time at={at} />
    </p>
  );
}
