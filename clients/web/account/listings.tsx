import { unwrap, type Hub } from '../../typescript/index.ts';
import { milliseconds } from '../format.ts';
import { useLoad } from '../load.ts';
import { Account, Badge, Money, Section, StateBadge, Time } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { custodyTexts as C } from '../texts/custody.ts';
import type { Got, Me } from '../types.ts';

type HostedCalls = Got<'/api/v1/hosted/{keyId}/calls'>;
const LIMIT = 20;
const EVERY_MS = 15_000;

/** The agents that are this account's, and what was called of the one under this hub. */
export function Listings({ hub, me }: { readonly hub: Hub; readonly me: Me }) {
  const { listings, keyId } = me;
  return (
    <Section title={C.listings.title} lead={C.listings.lead}>
      {listings.length === 0 ? (
        <Empty>{C.listings.none}</Empty>
      ) : (
        <ul class="rows">
          {listings.map(({ id, name, availability, hosted }) => (
            <li key={id}>
              <a href={pathTo(`agents/${id}`)}>{name}</a> <StateBadge state={availability} />{' '}
              {hosted && <span class="quiet">{C.listings.hosted}</span>}
            </li>
          ))}
        </ul>
      )}
      {listings.some(({ hosted }) => hosted) && <Calls hub={hub} keyId={keyId} />}
    </Section>
  );
}

function Calls({ hub, keyId }: { readonly hub: Hub; readonly keyId: string }) {
  const params = { path: { keyId }, query: { limit: LIMIT } };
  const calls = useLoad(
    `hosted calls ${keyId}`,
    async (signal) => unwrap(await hub.GET('/api/v1/hosted/{keyId}/calls', { params, signal })),
    EVERY_MS,
  );
  return (
    <>
      <h3>{C.listings.calls}</h3>
      <With of={calls}>{(hosted) => <CallsOf hosted={hosted} />}</With>
    </>
  );
}

function CallsOf({ hosted: { live, why, totals, calls } }: { readonly hosted: HostedCalls }) {
  const { served, failed, refused, earned, network } = totals;
  return (
    <>
      <p class="meta">
        <Badge tone={live ? 'good' : 'bad'}>{live ? C.listings.live : C.listings.notLive}</Badge>
        <span>{C.listings.totals(served, failed, refused)}</span>
        <span>
          {C.listings.earned} <Money units={earned} network={network} />
        </span>
      </p>
      <p class="quiet">{why}</p>
      {calls.length === 0 ? (
        <Empty>{C.listings.noCalls}</Empty>
      ) : (
        <ul class="rows">
          {calls.map(({ id, at, caller, tool, price, outcome, why: reason, durationMs }) => (
            <li key={id}>
              <code>{tool}</code>
              <p class="meta" title={reason}>
                <Badge tone={outcome === 'served' ? 'good' : 'bad'}>
                  {C.listings.outcomes[outcome]}
                </Badge>
                <Account name={caller} />
                <Money units={price} network={network} />
                <span>{milliseconds(durationMs)}</span>
                <Time at={at} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
