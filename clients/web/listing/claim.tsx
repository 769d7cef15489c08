import { useState } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { MakeKey } from '../account/makeKey.tsx';
import { useAction, useLoad } from '../load.ts';
import { Copyable } from '../parts/copy.tsx';
import { Fold } from '../parts/fold.tsx';
import { Account } from '../parts/shown.tsx';
import { Failure, With } from '../parts/states.tsx';
import { reader, useSession } from '../session.ts';
import { listingActs } from '../texts/listingActs.ts';
import type { Got } from '../types.ts';

const C = listingActs.claim;
type Guide = Got<'/api/v1/agents/{id}/claim'>;

export function ClaimListing({ id }: { readonly id: string }) {
  const session = useSession();
  return (
    <Fold title={C.title} lead={C.lead}>
      {session.state === 'open' ? (
        <Steps id={id} hub={session.hub} keyId={session.keyId} />
      ) : (
        <ol class="steps">
          <li>
            {C.steps.publish}
            <p>{C.needsKey}</p>
            <MakeKey />
          </li>
          <li>{C.steps.check}</li>
          <li>{C.steps.take}</li>
        </ol>
      )}
    </Fold>
  );
}

interface StepsProps {
  readonly id: string;
  readonly hub: Hub;
  readonly keyId: string;
}

function Steps({ id, hub, keyId }: StepsProps) {
  const guide = useLoad(`claim ${id} ${keyId}`, async (signal) => {
    const params = { path: { id }, query: { keyId } };
    return unwrap(await reader.GET('/api/v1/agents/{id}/claim', { params, signal }));
  });
  return (
    <With of={guide}>
      {(value) =>
        value.claimed ? (
          <p>
            {value.passportKeyId === keyId ? (
              C.yours
            ) : (
              <>
                {C.claimed} <Account name={`key:${value.passportKeyId ?? ''}`} />
              </>
            )}
          </p>
        ) : (
          <ol class="steps">
            <li>
              {C.steps.publish}
              <Proofs guide={value} />
            </li>
            <li>
              {C.steps.check}
              <Check hub={hub} keyId={keyId} guide={value} />
            </li>
            <li>
              {C.steps.take}
              <Take id={id} hub={hub} keyId={keyId} changed={guide.reload} />
            </li>
          </ol>
        )
      }
    </With>
  );
}

function Proofs({ guide: { publish } }: { readonly guide: Guide }) {
  return (
    <>
      {publish.map(({ method, where, value, note }) => (
        <details key={method}>
          <summary>{C.methods[method]}</summary>
          <p>
            {C.where}: <code>{where}</code>
          </p>
          <Copyable text={value} label={C.methods[method]} />
          <p class="quiet">{note}</p>
        </details>
      ))}
    </>
  );
}

type CheckProps = Pick<StepsProps, 'hub' | 'keyId'> & { readonly guide: Guide };

/** A passport is made by the same press, because the proof is stored with it. */
function Check({ hub, keyId, guide: { origin, domain } }: CheckProps) {
  const action = useAction();
  const [message, setMessage] = useState('');
  const check = (): void =>
    action.run(async () => {
      setMessage('');
      unwrap(await hub.POST('/api/v1/passport', { body: { keyId } }));
      const body = { origin, keyId };
      const { proved } = unwrap(await hub.POST('/api/v1/passport/verify', { body }));
      setMessage(proved ? C.proved(domain) : C.lacks(domain));
    });
  return (
    <>
      <p class="actions">
        <button type="button" onClick={check} aria-busy={action.isRunning}>
          {C.check}
        </button>
      </p>
      <p role="status">{message}</p>
      {action.error !== undefined && <Failure error={action.error} />}
    </>
  );
}

function Take({ id, hub, keyId, changed }: StepsProps & { readonly changed: () => void }) {
  const action = useAction();
  const take = (path: '/api/v1/passport/claim' | '/api/v1/passport/claim-endpoint') => (): void =>
    action.run(async () => {
      unwrap(await hub.POST('/api/v1/passport', { body: { keyId } }));
      unwrap(await hub.POST(path, { body: { keyId, agentId: id } }));
      changed();
    });
  return (
    <>
      <p class="actions">
        <button type="button" onClick={take('/api/v1/passport/claim')}>
          {C.take}
        </button>
        <button type="button" onClick={take('/api/v1/passport/claim-endpoint')}>
          {C.direct}
        </button>
      </p>
      {action.error !== undefined && <Failure error={action.error} />}
    </>
  );
}
