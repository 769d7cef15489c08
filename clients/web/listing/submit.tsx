import { useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { useAction } from '../load.ts';
import { Choice, Field, Form, Submit } from '../parts/fields.tsx';
import { addressProblem } from '../parts/problems.ts';
import { later } from '../parts/later.tsx';
import { Failure } from '../parts/states.tsx';
import { reader, useFormDraft } from '../session.ts';
import { listingActs } from '../texts/listingActs.ts';

const S = listingActs.submit;
type Kind = 'mcp' | 'a2a';
/** Shown once an address was sent, which few readers of the first page do. */
const Followed = later(() => import('./followed.tsx').then((part) => part.Followed));

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
