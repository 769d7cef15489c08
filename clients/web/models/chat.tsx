import { useRef, useState } from 'preact/hooks';
import { sseEvents, unwrap, type components, type Hub } from '../../typescript/index.ts';
import { MakeKey } from '../account/makeKey.tsx';
import { useAction } from '../load.ts';
import { Choice, Field, Form, Submit } from '../parts/fields.tsx';
import { Section, Stranger } from '../parts/shown.tsx';
import { Failure } from '../parts/states.tsx';
import { useDraft, useSession } from '../session.ts';
import { T } from '../texts.ts';
import { chatTexts as C } from '../texts/chat.ts';
import { costSoFar } from './cost.ts';
import { ReceiptOf, type Receipt } from './receipt.tsx';

type Model = components['schemas']['ModelOffer'];
type Message = components['schemas']['ChatMessage'];
const LONGEST = '400';

/** A conversation with a model, paid from the balance, with its cost as it runs. */
export function Chat({ models }: { readonly models: readonly Model[] }) {
  const session = useSession();
  return (
    <Section title={C.title} lead={C.lead}>
      {session.state === 'open' ? (
        <Talk models={models} hub={session.hub} own={session.account} />
      ) : (
        <>
          <p>{C.needsKey}</p>
          <MakeKey />
        </>
      )}
    </Section>
  );
}

interface TalkProps {
  readonly models: readonly Model[];
  readonly hub: Hub;
  readonly own: string;
}

function Talk({ models, hub, own }: TalkProps) {
  const [id, setId] = useState(models[0]?.id ?? '');
  const [longest, setLongest] = useState(LONGEST);
  const [text, setText] = useDraft('chat');
  const [said, setSaid] = useState<readonly Message[]>([]);
  const [answer, setAnswer] = useState('');
  const [receipt, setReceipt] = useState<Receipt>();
  const leaving = useRef<AbortController>(undefined);
  const action = useAction();
  const model = models.find((each) => each.id === id);
  const isWhole = /^[1-9]\d{0,6}$/.test(longest);
  const send = (): void =>
    action.run(async () => {
      const messages = [...said, { role: 'user' as const, content: text }];
      leaving.current = new AbortController();
      const { signal } = leaving.current;
      setReceipt(undefined);
      setAnswer('');
      const body = { caller: own, model: id, messages, max_tokens: Number(longest), stream: true };
      const stream = await hub.POST('/api/v1/models/chat', { body, signal, parseAs: 'stream' });
      unwrap(stream);
      setSaid(messages);
      setText('');
      let whole = '';
      try {
        for await (const { event, data } of sseEvents(stream.response)) {
          if (event === 'receipt') setReceipt(JSON.parse(data) as Receipt);
          if (event !== 'delta') continue;
          whole += (JSON.parse(data) as components['schemas']['ChatDelta']).content;
          setAnswer(whole);
        }
      } catch (error) {
        if (!signal.aborted) throw error;
        setReceipt(await newestReceipt(hub));
      }
      setSaid([...messages, { role: 'assistant', content: whole }]);
      setAnswer('');
    });
  const anew = (): void => {
    setSaid([]);
    setReceipt(undefined);
  };
  return (
    <>
      <Said messages={said} />
      {answer !== '' && (
        <>
          <Said messages={[{ role: 'assistant', content: answer }]} />
          {model !== undefined && (
            <p class="quiet">{C.running(costSoFar(model.usdPerMillionTokens, said, answer))}</p>
          )}
        </>
      )}
      {receipt !== undefined && <ReceiptOf receipt={receipt} />}
      <Form label={C.title} onSubmit={send}>
        <Choice
          label={C.model}
          value={id}
          options={models.map((each) => [each.id, each.name] as const)}
          onChange={setId}
        />
        <Field label={C.longest} value={longest} onInput={setLongest} hint={C.longestHint} />
        <Field label={C.message} value={text} onInput={setText} rows={3} />
        <p class="actions">
          <Submit isRunning={action.isRunning} isOff={text.trim() === '' || !isWhole}>
            {C.send}
          </Submit>
          {action.isRunning && (
            <button type="button" onClick={() => leaving.current?.abort()}>
              {C.stop}
            </button>
          )}
          {said.length > 0 && !action.isRunning && (
            <button type="button" onClick={anew}>
              {C.anew}
            </button>
          )}
        </p>
        {action.error !== undefined && <Failure error={action.error} />}
      </Form>
    </>
  );
}

/** Of a stream that was stopped here, whose own receipt had nowhere to go. */
async function newestReceipt(hub: Hub): Promise<Receipt | undefined> {
  const params = { query: { limit: 1 } };
  return unwrap(await hub.GET('/api/v1/models/receipts', { params })).receipts[0];
}

function Said({ messages }: { readonly messages: readonly Message[] }) {
  if (messages.length === 0) return null;
  return (
    <>
      <p class="quiet">{T.strangersText}</p>
      <ol class="rows" aria-live="polite">
        {messages.map(({ role, content }, place) => (
          <li key={place}>
            <b>{C.roles[role]}</b>
            <Stranger text={content} />
          </li>
        ))}
      </ol>
    </>
  );
}
