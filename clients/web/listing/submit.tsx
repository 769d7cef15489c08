import { useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { useAction, useLoad } from '../load.ts';
import { Choice, Field, Form, Submit } from '../parts/fields.tsx';
import { addressProblem } from '../parts/problems.ts';
import { Badge, Stranger, Time, type Tone } from '../parts/shown.tsx';
import { Failure, With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { reader, useFormDraft } from '../session.ts';
import { listingActs } from '../texts/listingActs.ts';
import type { Got } from '../types.ts';

const S = listingActs.submit;
type Submission = Got<'/api/v1/agents/submissions/{origin}'>;
type Kind = 'mcp' | 'a2a';

/** An address for the crawler, which finds out what it speaks; the form follows its visit to the end. */
export function SubmitAgent({ isShort = false }: { readonly isShort?: boolean }) {
  const [{ url, kind }, change] = useFormDraft('submit agent', { url: '', kind: '' });
  const [origin, setOrigin] = useState<string>();
  const action = useAction();
  const send = (): void =>
    action.run(async () => {
      const body = { url: url.trim(), ...(!isShort && isKind(kind) && { kind }) };
      setOrigin(unwrap(await reader.POST('/api/v1/agents', { body })).origin);
    });
  return (
    <>
      <Form label={S.title} onSubmit={send} kind={isShort ? 'short' : ''}>
        <Field
          label={S.url}
          value={url}
          onInput={(next) => change({ url: next })}
          hint={S.urlHint}
          problem={addressProblem(url)}
        />
        {!isShort && (
          <Choice
            label={S.kind}
            value={kind}
            options={S.kinds}
            onChange={(next) => change({ kind: next })}
          />
        )}
        <Submit isRunning={action.isRunning} isOff={url.trim() === ''}>
          {S.send}
        </Submit>
        {action.error !== undefined && <Failure error={action.error} />}
      </Form>
      {origin !== undefined && <Followed origin={origin} />}
    </>
  );
}

const isKind = (kind: string): kind is Kind => kind === 'mcp' || kind === 'a2a';

const EVERY_MS = 2_000;
const TONES: Readonly<Record<Submission['state'], Tone>> = {
  waiting: 'wait',
  looking: 'wait',
  listed: 'good',
  'not-listed': 'bad',
};

function Followed({ origin }: { readonly origin: string }) {
  const [isOver, setOver] = useState(false);
  const record = useLoad(
    `submission ${origin}`,
    async (signal) => {
      const params = { path: { origin: origin.replace(/\/$/, '') } };
      const found = unwrap(
        await reader.GET('/api/v1/agents/submissions/{origin}', { params, signal }),
      );
      setOver(found.state === 'listed' || found.state === 'not-listed');
      return found;
    },
    isOver ? undefined : EVERY_MS,
  );
  return <With of={record}>{(found) => <RecordOf record={found} />}</With>;
}

function RecordOf({ record }: { readonly record: Submission }) {
  const { origin, state, found, why, fix, nextLookAt, probes } = record;
  return (
    <div>
      <p role="status">
        <code>{origin}</code> <Badge tone={TONES[state]}>{S.states[state]}</Badge>
      </p>
      <ul class="rows">
        {found.map(({ id, name }) => (
          <li key={id}>
            <a href={pathTo(`agents/${id}`)}>{name}</a>
          </li>
        ))}
      </ul>
      {why !== undefined && <p>{why}</p>}
      {fix !== undefined && (
        <p>
          <b>{S.fix}</b> {fix}
        </p>
      )}
      {state === 'not-listed' && (
        <p class="quiet">
          {S.next} <Time at={nextLookAt} />
        </p>
      )}
      {probes.length > 0 && (
        <details>
          <summary>{S.probes}</summary>
          <ul>
            {probes.map(({ url, outcome, detail }, place) => (
              <li key={place}>
                <code>{url}</code>: {S.outcomes[outcome]}
                <Stranger text={detail} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
