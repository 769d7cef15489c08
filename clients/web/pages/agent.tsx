import { unwrap } from '../../typescript/refusal.ts';
import { count, milliseconds, percent } from '../format.ts';
import { accessText } from '../listing/access.ts';
import { BadgeOf } from '../listing/badge.tsx';
import { ClaimListing } from '../listing/claim.tsx';
import { HistoryOf } from '../listing/history.tsx';
import { Standing } from '../listing/standing.tsx';
import { TryTool } from '../listing/tryTool.tsx';
import { useLoad } from '../load.ts';
import { Meter, Split } from '../parts/plots.tsx';
import {
  Badge,
  Facts,
  Money,
  ScrolledTable,
  Section,
  Stranger,
  Time,
  Untrusted,
} from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { Empty, With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { reader } from '../session.ts';
import { T } from '../texts.ts';
import { stateWord } from '../texts/states.ts';
import { agentTexts } from '../texts/agents.ts';
import type { Listing } from '../types.ts';
import { glossary } from '../texts/glossary.ts';

type Price = NonNullable<Listing['skills'][number]['price']>;

export function Agent({ route: { id } }: { readonly route: { readonly id: string } }) {
  const loaded = useLoad(`agent ${id}`, async (signal) => {
    const init = { params: { path: { id } }, signal };
    const [listing, reputation, reliability] = await Promise.all([
      reader.GET('/api/v1/agents/{id}', init),
      reader.GET('/api/v1/agents/{id}/reputation', init),
      reader.GET('/api/v1/agents/{id}/reliability', init),
    ]);
    return {
      listing: unwrap(listing),
      reputation: unwrap(reputation),
      reliability: unwrap(reliability),
    };
  });
  return (
    <>
      <p class="crumbs">
        <a href={pathTo('agents')}>{T.pages.agents}</a>
      </p>
      <With of={loaded}>
        {({ listing, reputation, reliability }) => (
          <>
            <h1>{listing.name}</h1>
            <p class="meta">
              <StateBadge of="listing" state={listing.availability} />
              <span>{agentTexts.kinds[listing.kind]}</span>
              <span>{accessText(listing)}</span>
              {listing.verification !== undefined && (
                <Badge tone="good">{agentTexts.agents.proved(listing.verification)}</Badge>
              )}
            </p>
            <TryTool listing={listing} reliability={reliability} />
            <p class="quiet">{agentTexts.agents.sides}</p>
            <div class="columns2 even">
              <Claimed listing={listing} />
              <Observed listing={listing} />
            </div>
            <Tools listing={listing} />
            <HistoryOf id={id} />
            <Standing reputation={reputation} reliability={reliability} />
            <div class="columns2 even">
              <ClaimListing id={id} />
              <BadgeOf listing={listing} />
            </div>
          </>
        )}
      </With>
    </>
  );
}

function Claimed({ listing }: { readonly listing: Listing }) {
  const { description, version, provider, documentationUrl, endpoint, summary, topic } = listing;
  return (
    <Section title={agentTexts.agents.claimed} aside={<Untrusted />}>
      {description !== undefined && <Stranger text={description} />}
      <Facts
        terms={glossary}
        rows={[
          [agentTexts.agents.endpoint, <code key="endpoint">{endpoint}</code>],
          [agentTexts.agents.givenName, listing.givenName],
          [agentTexts.agents.provider, provider],
          [agentTexts.agents.version, version],
          [agentTexts.agents.documentation, documentationUrl],
          [agentTexts.agents.topic, topic],
          [agentTexts.agents.summary(summary?.source ?? ''), summary?.text],
          [agentTexts.agents.refunds, agentTexts.refunds[listing.refunds]],
        ]}
      />
    </Section>
  );
}

function Observed({ listing }: { readonly listing: Listing }) {
  const { uptime, latencyMs, looks30d, accessNote, lastCheckedAt, firstSeenAt, use } = listing;
  const signals = listing.doors.flatMap(({ injectionSignals = [] }) => injectionSignals);
  return (
    <Section title={agentTexts.agents.observed} lead={listing.availabilityNote}>
      <Facts
        terms={glossary}
        rows={[
          [agentTexts.agents.origin, <code key="origin">{listing.origin}</code>],
          ...standsUnder(listing),
          [
            agentTexts.agents.uptime,
            <Meter
              key="uptime"
              ratio={uptime}
              text={`${percent(uptime)} ${agentTexts.agents.seenFor(listing)}`.trim()}
            />,
          ],
          [agentTexts.agents.latency, agentTexts.agents.lookLatency(milliseconds(latencyMs))],
          [agentTexts.agents.accessWhy, accessNote],
          [agentTexts.agents.auth, listing.authSchemes.join(', ')],
          [
            agentTexts.agents.protocol,
            `${listing.transport} ${listing.protocolVersion ?? ''}`.trim(),
          ],
          [agentTexts.agents.quality, percent(listing.cardQuality)],
          [agentTexts.agents.violations, count(listing.cardViolations.length)],
          [agentTexts.agents.use, agentTexts.agents.useOf(use.calls30d, use.callers30d)],
          [agentTexts.agents.firstSeen, <Time key="first" at={firstSeenAt} />],
          [agentTexts.agents.lastChecked, <Time key="checked" at={lastCheckedAt} />],
        ]}
      />
      {looks30d !== undefined && <Looks looks={looks30d} />}
      {signals.length > 0 && (
        <div class="failure">
          <p>
            <strong>{agentTexts.agents.signals}</strong>
          </p>
          {signals.map(({ path, text }) => (
            <Stranger key={path + text} text={`${path}: ${text}`} />
          ))}
        </div>
      )}
    </Section>
  );
}

function standsUnder({ standsUnder: under, standsBy: by }: Listing) {
  if (under === undefined || by === undefined) return [];
  const link = (
    <a key="under" href={pathTo(`agents/${under}`)}>
      {under}
    </a>
  );
  return [[agentTexts.agents.standsUnder[by], link] as const];
}

/** One count of looks has a name in which its state is spelt otherwise. */
const LOOKS: Readonly<Record<string, Listing['availability']>> = { notSpeaking: 'not-speaking' };

function Looks({ looks }: { readonly looks: NonNullable<Listing['looks30d']> }) {
  const verdicts = Object.entries(looks) as [Listing['availability'], number][];
  const all = verdicts.reduce((sum, [, value]) => sum + value, 0);
  if (all === 0) return null;
  return (
    <Split
      title={agentTexts.agents.looks(all)}
      parts={verdicts.map(([name, value]) => ({
        label: stateWord('listing', LOOKS[name] ?? name),
        share: (value * 100) / all,
        text: count(value),
      }))}
    />
  );
}

function Tools({ listing: { skills, skillsOmitted } }: { readonly listing: Listing }) {
  return (
    <Section title={agentTexts.agents.toolsTitle} lead={agentTexts.agents.toolsLead}>
      {skills.length === 0 ? (
        <Empty>{agentTexts.agents.noTools}</Empty>
      ) : (
        <ScrolledTable label={agentTexts.agents.toolsTitle} kind="tools">
          <thead>
            <tr>
              <th scope="col">{agentTexts.agents.tool}</th>
              <th scope="col">{agentTexts.agents.access}</th>
              <th scope="col">{agentTexts.agents.price}</th>
              <th scope="col">{agentTexts.agents.lastChecked}</th>
            </tr>
          </thead>
          <tbody>
            {skills.map(({ id, name, description, access, accessCheckedAt, price }) => (
              <tr key={id}>
                <td>
                  <strong>{name}</strong>
                  <Stranger text={description} />
                </td>
                <td>{agentTexts.accesses[access]}</td>
                <td>{price === undefined ? T.none : <PriceOf price={price} />}</td>
                <td>
                  {accessCheckedAt === undefined ? (
                    agentTexts.agents.never
                  ) : (
                    <Time at={accessCheckedAt} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </ScrolledTable>
      )}
      {skillsOmitted > 0 && <p class="quiet">{agentTexts.agents.omitted(skillsOmitted)}</p>}
    </Section>
  );
}

/** A price names an untrusted asset; the decimals are known for USDC alone. */
function PriceOf({ price: { amount, asset, network } }: { readonly price: Price }) {
  if (asset === 'USDC') return <Money units={amount} network={network ?? 'base'} />;
  return (
    <>
      {amount} {asset} {network}
    </>
  );
}
