import { useState } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { useAction } from '../load.ts';
import { Field, Form, Submit } from '../parts/fields.tsx';
import { Section, Stranger, Time } from '../parts/shown.tsx';
import { Empty, Failure } from '../parts/states.tsx';
import { useDraft } from '../session.ts';
import { custodyTexts as C } from '../texts/custody.ts';
import type { Got } from '../types.ts';

type Passport = Got<'/api/v1/passport/{keyId}'>;
interface PassportProps {
  readonly hub: Hub;
  readonly keyId: string;
}

export function OwnPassport({ hub, keyId }: PassportProps) {
  const [held, setHeld] = useState<Passport>();
  const action = useAction();
  /** Makes it when there is none, and otherwise answers it as it stands. */
  const open = (): void =>
    action.run(async () => {
      setHeld(unwrap(await hub.POST('/api/v1/passport', { body: { keyId } })));
    });
  return (
    <Section title={C.passport.title} lead={C.passport.lead}>
      {held === undefined ? (
        <button type="button" onClick={open} aria-busy={action.isRunning}>
          {C.passport.open}
        </button>
      ) : (
        <>
          <Words passport={held} />
          <Write hub={hub} keyId={keyId} saved={setHeld} />
          <Domains hub={hub} keyId={keyId} passport={held} changed={open} />
        </>
      )}
      {action.error !== undefined && <Failure error={action.error} />}
    </Section>
  );
}

function Words({ passport: { displayName, bio } }: { readonly passport: Passport }) {
  return (
    <>
      {displayName !== undefined && (
        <p>
          <b>{displayName}</b>
        </p>
      )}
      {bio !== undefined && <Stranger text={bio} />}
    </>
  );
}

function Write({ hub, keyId, saved }: PassportProps & { readonly saved: (now: Passport) => void }) {
  const [name, setName] = useDraft('passport name');
  const [bio, setBio] = useDraft('passport bio');
  const action = useAction();
  const save = (): void =>
    action.run(async () => {
      const body = { keyId, ...(name !== '' && { displayName: name }), ...(bio !== '' && { bio }) };
      saved(unwrap(await hub.POST('/api/v1/passport', { body })));
      for (const set of [setName, setBio]) set('');
    });
  return (
    <Form label={C.passport.save} onSubmit={save}>
      <Field label={C.passport.name} value={name} onInput={setName} />
      <Field label={C.passport.bio} value={bio} onInput={setBio} rows={2} />
      <Submit isRunning={action.isRunning}>{C.passport.save}</Submit>
      {action.error !== undefined && <Failure error={action.error} />}
    </Form>
  );
}

type DomainsProps = PassportProps & { readonly passport: Passport; readonly changed: () => void };

function Domains({ hub, keyId, passport, changed }: DomainsProps) {
  const [origin, setOrigin] = useDraft('domain');
  const [message, setMessage] = useState('');
  const action = useAction();
  const check = (): void =>
    action.run(async () => {
      setMessage('');
      const body = { origin: origin.trim(), keyId };
      const { proved } = unwrap(await hub.POST('/api/v1/passport/verify', { body }));
      setMessage(proved ? C.passport.stands(body.origin) : C.passport.lacks(body.origin));
      if (proved) changed();
    });
  const claim = (): void =>
    action.run(async () => {
      const { count } = unwrap(await hub.POST('/api/v1/passport/claim', { body: { keyId } }));
      setMessage(C.passport.claimed(count));
      changed();
    });
  return (
    <>
      <h3>{C.passport.domains}</h3>
      {passport.domains.length === 0 ? (
        <Empty>{C.passport.noDomains}</Empty>
      ) : (
        <>
          <ul class="rows">
            {passport.domains.map(({ domain, lastConfirmedAt }) => (
              <li key={domain}>
                <code>{domain}</code> <Time at={lastConfirmedAt} />
              </li>
            ))}
          </ul>
          <button type="button" onClick={claim} aria-busy={action.isRunning}>
            {C.passport.claim}
          </button>
        </>
      )}
      <Form label={C.passport.check} onSubmit={check}>
        <Field
          label={C.passport.domain}
          of="body.domain"
          value={origin}
          onInput={setOrigin}
          hint={C.passport.domainHint}
        />
        <p class="quiet">{C.passport.either}</p>
        <ul>
          {C.passport.proofs(keyId).map((proof) => (
            <li key={proof} class="mono">
              {proof}
            </li>
          ))}
        </ul>
        <Submit isRunning={action.isRunning} isOff={origin.trim() === ''}>
          {C.passport.check}
        </Submit>
        <p role="status">{message}</p>
        {action.error !== undefined && <Failure error={action.error} />}
      </Form>
    </>
  );
}
