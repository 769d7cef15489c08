import { useState } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { count, milliseconds } from '../format.ts';
import { useAction, useLoad } from '../load.ts';
import { Id } from '../parts/copy.tsx';
import { Pager } from '../parts/pager.tsx';
import { Badge, Facts, Time } from '../parts/shown.tsx';
import type { Tone } from '../texts/states.ts';
import { Empty, Failure, With } from '../parts/states.tsx';
import { webhookTexts as W } from '../texts/webhooks.ts';
import type { Got } from '../types.ts';

type Delivery = Got<'/api/v1/me/webhooks/{id}/deliveries'>['deliveries'][number];

const LIMIT = 20;
const EVERY_MS = 15_000;
const TONES: Readonly<Record<Delivery['outcome'], Tone>> = {
  delivered: 'good',
  failed: 'wait',
  dead: 'bad',
};

interface DeliveriesProps {
  readonly hub: Hub;
  readonly id: string;
}

export function Deliveries({ hub, id }: DeliveriesProps) {
  const [isDead, setDead] = useState(false);
  const [after, setAfter] = useState<string>();
  const query = {
    limit: LIMIT,
    ...(isDead && ({ outcome: 'dead' } as const)),
    ...(after !== undefined && { cursor: after }),
  };
  const path = '/api/v1/me/webhooks/{id}/deliveries';
  const deliveries = useLoad(
    `deliveries ${id} ${isDead} ${after ?? ''}`,
    async (signal) => unwrap(await hub.GET(path, { params: { path: { id }, query }, signal })),
    after === undefined ? EVERY_MS : undefined,
  );
  const filter = (): void => {
    setAfter(undefined);
    setDead(!isDead);
  };
  return (
    <>
      <h3>{W.deliveries}</h3>
      <label>
        <input type="checkbox" checked={isDead} onChange={filter} /> {W.dead}
      </label>
      <With of={deliveries}>
        {(page) => (
          <>
            {page.count === 0 ? (
              <Empty>{W.noDeliveries}</Empty>
            ) : (
              <ul class="rows" aria-label={W.deliveries}>
                {page.deliveries.map((delivery) => (
                  <li key={delivery.id}>
                    <One hub={hub} delivery={delivery} changed={deliveries.reload} />
                  </li>
                ))}
              </ul>
            )}
            <Pager after={after} next={page.nextCursor} turn={setAfter} />
          </>
        )}
      </With>
    </>
  );
}

interface OneProps {
  readonly hub: Hub;
  readonly delivery: Delivery;
  readonly changed: () => void;
}

function One({ hub, delivery, changed }: OneProps) {
  const { id: deliveryId, webhookId: id, kind, outcome, status, fault, body } = delivery;
  const action = useAction();
  const resend = (): void =>
    action.run(async () => {
      const given = { params: { path: { id } }, body: { deliveryId } };
      unwrap(await hub.POST('/api/v1/me/webhooks/{id}/test', given));
      changed();
    });
  return (
    <details>
      <summary>
        <code>{kind}</code> <Badge tone={TONES[outcome]}>{W.outcomes[outcome]}</Badge>{' '}
        <span class="quiet">
          <Time at={delivery.at} />
        </span>
      </summary>
      <Facts
        rows={[
          [W.attempt, count(delivery.attempt)],
          [W.status, status === undefined ? undefined : count(status)],
          [W.fault, fault],
          [W.took, milliseconds(delivery.durationMs)],
          [W.at, <code key="at">{delivery.at}</code>],
          [W.id, <Id key="id" text={delivery.messageId} />],
          [W.body, <code key="body">{body}</code>],
        ]}
      />
      <button type="button" aria-busy={action.isRunning} onClick={resend}>
        {W.resend}
      </button>
      {action.error !== undefined && <Failure error={action.error} />}
    </details>
  );
}
