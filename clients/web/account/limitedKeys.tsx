import { useRef, useState } from 'preact/hooks';
import type { components } from '../../../generated/types.ts';
import { bindKey } from '../../typescript/bindKey.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { generateKey, type GeneratedKey } from '../../typescript/sign.ts';
import { unitsOf } from '../format.ts';
import { useAction } from '../load.ts';
import { Copyable } from '../parts/copy.tsx';
import { AmountField, Field, Form, Submit } from '../parts/fields.tsx';
import { saveFile } from '../parts/files.ts';
import { Money, Section, Time } from '../parts/shown.tsx';
import { Failure } from '../parts/states.tsx';
import { useDraft } from '../session.ts';
import { keyTexts as K } from '../texts/keys.ts';
import type { OwnProps } from './own.ts';

type Schemas = components['schemas'];
type Limits = Schemas['KeyLimits'];
type Policy = Schemas['KeyPolicy'];

export function LimitBars({ spending, network }: { readonly spending: Limits; network: string }) {
  const { limits, policy } = spending;
  return (
    <>
      {limits.map(({ window, limit, used, left, resetsAt }) => (
        <p key={window}>
          <progress value={Number(used)} max={Number(limit)} aria-label={K.windows[window]} />{' '}
          <Money units={left} network={network} /> {K.leftOf}{' '}
          <Money units={limit} network={network} /> {K.windows[window]}
          {resetsAt !== undefined && (
            <>
              {', '}
              {K.until} <Time at={resetsAt} />
            </>
          )}
        </p>
      ))}
      {policy.approveAbove !== undefined && (
        <p>
          {K.approveAbove} <Money units={policy.approveAbove} network={network} />
        </p>
      )}
      {K.lists.map(([name, label]) => {
        const names = policy[name];
        return names === undefined ? null : (
          <p key={name}>
            {label}: {names.length === 0 ? K.nothing : names.join(', ')}
          </p>
        );
      })}
    </>
  );
}

interface SaveMandateProps extends OwnProps {
  readonly keyId: string;
}

/** Saves the limits of a key as the hub signs them, for another hub or for a reader. */
export function SaveMandate({ hub, account, keyId }: SaveMandateProps) {
  const action = useAction();
  const save = (): void =>
    action.run(async () => {
      const path = { owner: account, keyId };
      const route = '/api/v1/wallet/{owner}/keys/{keyId}/mandate';
      const mandate = unwrap(await hub.GET(route, { params: { path } }));
      saveFile('mandate.json', JSON.stringify(mandate, null, 2), 'application/json');
    });
  return (
    <p>
      <button
        type="button"
        aria-label={`${K.mandate}: key:${keyId}`}
        disabled={action.isRunning}
        onClick={save}
      >
        {K.mandate}
      </button>
      {action.error !== undefined && <Failure error={action.error} />}
    </p>
  );
}

export function LimitedKey({ hub, account, minted }: OwnProps & { readonly minted: () => void }) {
  const [label, setLabel] = useDraft('limited key');
  const [perDay, setPerDay] = useDraft('limited key day');
  const [perCall, setPerCall] = useDraft('limited key call');
  const [above, setAbove] = useDraft('limited key above');
  const [operations, setOperations] = useDraft('limited key operations');
  const [made, setMade] = useState<string>();
  const action = useAction();
  // The same key until it is bound: limits and binding can be sent again, a second key would be two.
  const fresh = useRef<GeneratedKey | undefined>(undefined);
  const units = unitsOf(perDay);
  const mint = (): void =>
    action.run(async () => {
      if (units === undefined) return;
      fresh.current ??= await generateKey();
      const key = fresh.current;
      const names = operations.split(/[\s,]+/).filter((name) => name !== '');
      const policy: Policy = { perDay: units };
      const call = unitsOf(perCall);
      if (call !== undefined) policy.perCall = call;
      const most = unitsOf(above);
      if (most !== undefined) policy.approveAbove = most;
      if (names.length > 0) policy.operations = names;
      const path = { owner: account, keyId: key.keyId };
      const route = '/api/v1/wallet/{owner}/keys/{keyId}/policy';
      // The limits come first, so that the key never acts without them.
      unwrap(await hub.POST(route, { params: { path }, body: policy }));
      await bindKey(hub, key, label === '' ? {} : { label });
      const secretKey = btoa(String.fromCharCode(...key.secretKey));
      setMade(JSON.stringify({ keyId: key.keyId, secretKey }));
      fresh.current = undefined;
      for (const set of [setLabel, setPerDay, setPerCall, setAbove, setOperations]) set('');
      minted();
    });
  return (
    <Section title={K.mint.title} lead={K.mint.lead}>
      {made !== undefined && (
        <div class="good" role="status">
          <p>{K.mint.once}</p>
          <Copyable text={made} label={K.mint.theKey} />
          <button type="button" onClick={() => saveFile('agent.key', made, 'application/json')}>
            {K.mint.save}
          </button>
        </div>
      )}
      <Form label={K.mint.make} onSubmit={mint}>
        <Field label={K.mint.label} value={label} onInput={setLabel} hint={K.mint.labelHint} />
        <AmountField
          label={K.mint.perDay}
          value={perDay}
          onInput={setPerDay}
          hint={K.mint.perDayHint}
        />
        <AmountField
          label={K.mint.perCall}
          value={perCall}
          onInput={setPerCall}
          hint={K.mint.optional}
        />
        <AmountField label={K.mint.above} value={above} onInput={setAbove} hint={K.mint.optional} />
        <Field
          label={K.mint.operations}
          value={operations}
          onInput={setOperations}
          hint={K.mint.operationsHint}
        />
        <Submit isRunning={action.isRunning} isOff={units === undefined}>
          {K.mint.make}
        </Submit>
        {action.error !== undefined && <Failure error={action.error} />}
      </Form>
    </Section>
  );
}
