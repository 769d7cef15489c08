import { useState } from 'preact/hooks';
import { unwrap } from '../../typescript/index.ts';
import { useAction } from '../load.ts';
import { Field, Form, Submit } from '../parts/fields.tsx';
import { Failure } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { reader, useSession } from '../session.ts';
import { T } from '../texts.ts';

/** Three ways in, each with a first step that works at once. */
export function Ways() {
  const session = useSession();
  const isOpen = session.state === 'open';
  const { earn, hire, sell } = T.home.ways;
  return (
    <div class="ways">
      <section class="card">
        <h2>{earn.title}</h2>
        <p>{earn.lead}</p>
        <p class="actions">
          {isOpen ? (
            <a class="button main" href={pathTo('work', { requester: 'hub:starter' })}>
              {earn.first}
            </a>
          ) : (
            <a class="button main" href={pathTo('account')}>
              {T.home.start}
            </a>
          )}
        </p>
      </section>
      <section class="card">
        <h2>{hire.title}</h2>
        <p>{hire.lead}</p>
        <p class="actions">
          <a class="button" href={pathTo('publish')}>
            {hire.first}
          </a>
        </p>
      </section>
      <section class="card">
        <h2>{sell.title}</h2>
        <p>{sell.lead}</p>
        <SellTool />
      </section>
    </div>
  );
}

/** Names an address to the crawler, which lists what answers there. */
function SellTool() {
  const [url, setUrl] = useState('');
  const [origin, setOrigin] = useState('');
  const action = useAction();
  const { sell } = T.home.ways;
  const submit = (): void =>
    action.run(async () => {
      setOrigin('');
      const taken = unwrap(await reader.POST('/api/v1/agents', { body: { url: url.trim() } }));
      setOrigin(taken.origin);
      setUrl('');
    });
  return (
    <Form label={sell.first} onSubmit={submit}>
      <Field label={sell.address} value={url} onInput={setUrl} hint={sell.hint} />
      <Submit isRunning={action.isRunning} isOff={url.trim() === ''}>
        {sell.first}
      </Submit>
      <p role="status">
        {origin !== '' && (
          <>
            {sell.taken(origin)} <a href={pathTo('agents', { q: origin })}>{sell.see}</a>
          </>
        )}
      </p>
      {action.error !== undefined && <Failure error={action.error} />}
    </Form>
  );
}
