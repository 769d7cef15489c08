import { useState } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { count, milliseconds, usdc } from '../format.ts';
import { useLoad } from '../load.ts';
import { Id } from '../parts/copy.tsx';
import { Pager } from '../parts/pager.tsx';
import { Plot } from '../parts/plot.tsx';
import type { Sample } from '../parts/plotScale.ts';
import { Account, Badge, Facts, Money, Time } from '../parts/shown.tsx';
import type { Tone } from '../texts/states.ts';
import { Empty, With } from '../parts/states.tsx';
import { T } from '../texts.ts';
import { custodyTexts as C } from '../texts/custody.ts';
import type { Got } from '../types.ts';

type Hosted = Got<'/api/v1/hosted/{keyId}/calls'>;
type Call = Hosted['calls'][number];
const LIMIT = 20;
const EVERY_MS = 15_000;
const TONES: Readonly<Record<Call['outcome'], Tone>> = {
  served: 'good',
  failed: 'bad',
  refused: 'wait',
  unknown: 'bad',
};

interface HostedCallsProps {
  readonly hub: Hub;
  readonly keyId: string;
}

export function HostedCalls({ hub, keyId }: HostedCallsProps) {
  const [after, setAfter] = useState<string>();
  const query = { limit: LIMIT, ...(after !== undefined && { cursor: after }) };
  const params = { path: { keyId }, query };
  const calls = useLoad(
    `hosted calls ${keyId} ${after ?? ''}`,
    async (signal) => unwrap(await hub.GET('/api/v1/hosted/{keyId}/calls', { params, signal })),
    // Who reads older calls is not taken away from them.
    after === undefined ? EVERY_MS : undefined,
  );
  return (
    <>
      <h3>{C.listings.calls}</h3>
      <With of={calls}>
        {(hosted) => (
          <>
            <State hosted={hosted} />
            <Revenue hosted={hosted} />
            {hosted.calls.length === 0 ? (
              <Empty>{C.listings.noCalls}</Empty>
            ) : (
              <ul class="rows" aria-label={C.listings.calls}>
                {hosted.calls.map((call) => (
                  <li key={call.id}>
                    <OneCall call={call} network={hosted.totals.network} />
                  </li>
                ))}
              </ul>
            )}
            <Pager after={after} next={hosted.nextCursor} turn={setAfter} />
          </>
        )}
      </With>
    </>
  );
}

function State({ hosted }: { readonly hosted: Hosted }) {
  const { live, why, via, endpoint, lastCheckedAt, connectedUntil } = hosted;
  return (
    <>
      <p class="meta">
        <Badge tone={live ? 'good' : 'bad'}>{live ? C.listings.live : C.listings.notLive}</Badge>
        <span>{why}</span>
      </p>
      <Facts
        rows={[
          [C.listings.via[via], <code key="endpoint">{endpoint}</code>],
          [C.listings.checked, <Time key="checked" at={lastCheckedAt} />],
          [
            C.listings.connectedUntil,
            connectedUntil === undefined ? undefined : <Time at={connectedUntil} />,
          ],
        ]}
      />
    </>
  );
}

function Revenue({ hosted: { totals, calls } }: { readonly hosted: Hosted }) {
  const { served, failed, refused, earned, network } = totals;
  return (
    <>
      <Facts
        rows={[
          [C.listings.earned, <Money key="earned" units={earned} network={network} />],
          [C.listings.served, count(served)],
          [C.listings.failed, count(failed)],
          [C.listings.refused, count(refused)],
        ]}
      />
      {calls.length > 0 && (
        <Plot
          title={C.listings.earnedPlot}
          labels={[C.listings.earned]}
          samples={earnedSoFar(calls)}
          kind="steps"
          from={Date.parse(calls.at(-1)?.at ?? '')}
          until={Date.now()}
          format={(units) => usdc(String(units))}
          unit={T.unit(network)}
          smallest={1}
        />
      )}
    </>
  );
}

/** The whole price of what was served; anything else costs its caller nothing. */
const earnedBy = ({ outcome, price }: Call): string => (outcome === 'served' ? price : '0');

function earnedSoFar(calls: readonly Call[]): readonly Sample[] {
  let sum = 0n;
  return [...calls].reverse().map((call) => {
    sum += BigInt(earnedBy(call));
    return { at: Date.parse(call.at), values: [Number(sum)] };
  });
}

function OneCall({ call, network }: { readonly call: Call; readonly network: string }) {
  const { id, at, caller, tool, price, outcome, why, durationMs, receiptId } = call;
  const isVisitor = caller === 'visitor';
  return (
    <details>
      <summary>
        <code>{tool}</code> <Badge tone={TONES[outcome]}>{C.listings.outcomes[outcome]}</Badge>{' '}
        <span class="quiet">
          <Money units={earnedBy(call)} network={network} /> · <Time at={at} />
        </span>
      </summary>
      <Facts
        rows={[
          [C.listings.caller, isVisitor ? C.listings.visitor : <Account name={caller} />],
          [C.listings.why, why],
          [C.listings.price, <Money key="price" units={price} network={network} />],
          [C.listings.yours, <Money key="yours" units={earnedBy(call)} network={network} />],
          [C.listings.took, milliseconds(durationMs)],
          [C.listings.at, <code key="at">{at}</code>],
          [C.listings.callId, <Id key="id" text={id} />],
          [
            C.listings.receipt,
            receiptId === undefined ? C.listings.noReceipt : <Id text={receiptId} />,
          ],
        ]}
      />
      <p class="quiet">{C.listings.notKept}</p>
    </details>
  );
}
