import { useState } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { MakeKey } from '../account/makeKey.tsx';
import { InCode } from '../contract/inCode.tsx';
import { linkedBody, linkedValues } from '../contract/link.ts';
import { addressOf, callable, type Callable } from '../contract/operation.ts';
import { sent, type Sent } from '../contract/send.ts';
import { milliseconds } from '../format.ts';
import { ofHub } from '../hubAddress.ts';
import { useLoad } from '../load.ts';
import { Field, Form, Once, Submit, SureForm } from '../parts/fields.tsx';
import { Badge, Facts, Json, Prose, Section } from '../parts/shown.tsx';
import { Empty, Failure, With } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { isRecord, jsonOr } from '../publish/conditions.ts';
import type { Route } from '../routes.ts';
import { reader, useSender } from '../session.ts';
import { T } from '../texts.ts';
import { tryTexts as Y } from '../texts/tryPage.ts';

interface TryCallProps {
  readonly route: Extract<Route, { readonly page: 'tryCall' }>;
}

export function TryCall({ route }: TryCallProps) {
  const id = route.query['operation'] ?? '';
  const sender = useSender();
  const own = sender?.account;
  const contract = useLoad('contract', async (signal) =>
    unwrap(await reader.GET('/api/v1/openapi.json', { signal })),
  );
  return (
    <With of={contract}>
      {(document) => {
        const operation = callable(document, id, own);
        if (operation === undefined) return <NoOperation id={id} />;
        const { query } = route;
        return (
          <OneOperation key={`${id} ${own}`} {...{ operation, own, query }} hub={sender?.hub} />
        );
      }}
    </With>
  );
}

function NoOperation({ id }: { readonly id: string }) {
  return (
    <>
      <h1>{T.pages.tryCall}</h1>
      <Empty>
        {Y.none(id)} <a href={ofHub('/docs')}>{Y.all}</a>
      </Empty>
    </>
  );
}

interface OneProps {
  readonly operation: Callable;
  readonly hub: Hub | undefined;
  readonly own: string | undefined;
  readonly query: TryCallProps['route']['query'];
}

function OneOperation({ operation, hub, own, query }: OneProps) {
  const { id, auth, method, path, summary, says } = operation;
  return (
    <>
      <p class="crumbs">
        <a href={ofHub(`/docs#${id}`)}>{Y.contract}</a>
      </p>
      <h1>{summary}</h1>
      <p class="lead">
        <code>
          {method} {path}
        </code>
      </p>
      <p>
        <Prose text={says} />
      </p>
      <Section title={Y.call} lead={`${Y.lead} ${Y.auth[auth] ?? ''}`}>
        {auth === 'signed' && hub === undefined ? (
          <MakeKey />
        ) : (
          <Call {...{ operation, own, query }} hub={hub ?? reader} />
        )}
      </Section>
    </>
  );
}

interface CallProps {
  readonly operation: Callable;
  readonly hub: Hub;
  readonly own?: string | undefined;
  /** The values of a link to this form. */
  readonly query?: OneProps['query'];
}

export function Call({ operation, hub, own, query = {} }: CallProps) {
  const { id, auth, method, parameters, body, owner } = operation;
  const [values, setValues] = useState(() => linkedValues(query));
  const [text, setText] = useState(
    () => linkedBody(query, owner, own) ?? JSON.stringify(body ?? {}, null, 2),
  );
  const [bearer, setBearer] = useState('');
  const [isTrial, setTrial] = useState(false);
  const [answer, setAnswer] = useState<Sent>();
  const at = addressOf(operation, values);
  const written = jsonOr(text, undefined);
  const isOff = 'missing' in at || (body !== undefined && !isRecord(written));
  const address = 'missing' in at ? '' : at.address;
  const press = usePress(hub, {
    form: `try ${id}`,
    what: Y.callOf(method, address),
    work: async (once, lost) => {
      setAnswer(undefined);
      const content = body === undefined ? undefined : written;
      const call = { method, address, content, bearer, isTrial };
      const again = lost && { address: lost.path, content: lost.body, isTrial: false };
      setAnswer(await sent(once, { ...call, ...again }));
    },
  });
  const fields = (
    <>
      {parameters.map((field) => (
        <Field
          key={field.name}
          label={field.name}
          value={values[field.name] ?? field.first}
          onInput={(next) => setValues({ ...values, [field.name]: next })}
          hint={field.required ? `${Y.required} ${field.says}` : field.says}
        />
      ))}
      {auth === 'api-key' && (
        <Field
          label={Y.apiKey}
          value={bearer}
          onInput={setBearer}
          hint={Y.apiKeyHint}
          kind="password"
        />
      )}
      {body !== undefined && (
        <Field
          label={Y.body}
          value={text}
          onInput={setText}
          hint={isRecord(written) ? Y.bodyHint : Y.notJson}
          rows={10}
        />
      )}
      {method !== 'GET' && body === undefined && <p class="note">{Y.noJson}</p>}
      {method !== 'GET' && auth === 'signed' && (
        <p>
          <label>
            <input
              type="checkbox"
              checked={isTrial}
              onChange={({ currentTarget }) => setTrial(currentTarget.checked)}
            />{' '}
            {Y.trial}
          </label>
        </p>
      )}
      {'missing' in at && <p class="quiet">{Y.missing(at.missing)}</p>}
    </>
  );
  return (
    <>
      {method === 'GET' || isTrial ? (
        <Once press={press}>
          <Form label={Y.call} onSubmit={() => press.run()}>
            {fields}
            <Submit isRunning={press.isRunning} isOff={isOff} isMain>
              {Y.send}
            </Submit>
            {press.error !== undefined && <Failure error={press.error} />}
          </Form>
        </Once>
      ) : (
        <SureForm
          label={Y.send}
          name={Y.call}
          question={Y.question(method, address)}
          yes={Y.yes}
          isOff={isOff}
          isMain
          press={press}
        >
          {fields}
        </SureForm>
      )}
      {method !== 'GET' && press.unanswered === undefined && press.error !== undefined && (
        <p class="note">{Y.mayHaveHappened}</p>
      )}
      {answer !== undefined && <Answered answer={answer} />}
      {!isOff && (
        <InCode
          call={{
            operation,
            values,
            address,
            content: body !== undefined && isRecord(written) ? written : undefined,
            baseUrl: hub.baseUrl,
            own,
          }}
        />
      )}
    </>
  );
}

function Answered({ answer: { status, ms, body, isCut } }: { readonly answer: Sent }) {
  return (
    <>
      <h3>{Y.answer}</h3>
      <Facts
        rows={[
          [Y.status, <Badge key="s" tone={status < 400 ? 'good' : 'bad'}>{`${status}`}</Badge>],
          [Y.took, milliseconds(ms)],
        ]}
      />
      <Json value={body} label={Y.answer} />
      {isCut && <p class="quiet">{Y.cut}</p>}
    </>
  );
}
