import { useState } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { MakeKey } from '../account/makeKey.tsx';
import { Choice, Field, Form, Once, Submit } from '../parts/fields.tsx';
import { Section, Stranger, Untrusted } from '../parts/shown.tsx';
import { Failure } from '../parts/states.tsx';
import { useDraft, useSender } from '../session.ts';
import { chatTexts as C } from '../texts/chat.ts';
import { useConversation, type Message } from './conversation.ts';
import { costSoFar } from './cost.ts';
import { answers, firstOf, type Model } from './offers.ts';
import { ReceiptOf } from './receipt.tsx';

const LONGEST = '400';

export function Chat({ models }: { readonly models: readonly Model[] }) {
  const sender = useSender();
  return (
    <Section title={C.title} lead={C.lead}>
      {sender !== undefined ? (
        <Talk models={models} hub={sender.hub} own={sender.account} />
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

export function Talk({ models, hub, own }: TalkProps) {
  const [id, setId] = useState(firstOf(models) ?? '');
  const [longest, setLongest] = useState(LONGEST);
  const [text, setText] = useDraft('chat');
  const model = models.find((each) => each.id === id);
  const isWhole = /^[1-9]\d{0,6}$/.test(longest);
  const question = { own, model: id, text, longest: Number(longest) };
  const { history, receipt, pending, answer, isRunning, error, ...talk } = useConversation(
    hub,
    question,
    () => setText(''),
  );
  const isAnswering = isRunning && receipt === undefined;
  return (
    <>
      <Messages messages={history} />
      {answer !== '' && <Messages messages={[{ role: 'assistant', content: answer }]} />}
      {isAnswering && model !== undefined && (
        <p class="quiet">
          {C.running(
            costSoFar(model.usdPerMillionTokens, history, answer),
            costSoFar(model.usdPerMillionTokens, history, '', Number(longest)),
          )}
        </p>
      )}
      {pending !== undefined && answer === '' && history.at(-1)?.role === 'assistant' && (
        <p role="status">{C.counting}</p>
      )}
      {receipt !== undefined && <ReceiptOf receipt={receipt} />}
      <Once press={talk.press}>
        <Form label={C.title} onSubmit={talk.send}>
          <Choice
            label={C.model}
            value={id}
            options={models.filter(answers).map((each) => [each.id, each.name] as const)}
            onChange={setId}
          />
          <Field label={C.longest} value={longest} onInput={setLongest} hint={C.longestHint} />
          <Field label={C.message} value={text} onInput={setText} rows={3} />
          <p class="actions">
            <Submit isRunning={isRunning} isOff={text.trim() === '' || !isWhole} isMain>
              {C.send}
            </Submit>
            {isRunning && (
              <button type="button" onClick={talk.stop}>
                {C.stop}
              </button>
            )}
            {history.length > 0 && !isRunning && (
              <button type="button" onClick={talk.anew}>
                {C.anew}
              </button>
            )}
          </p>
          {error !== undefined && <Failure error={error} />}
        </Form>
      </Once>
    </>
  );
}

function Messages({ messages }: { readonly messages: readonly Message[] }) {
  if (messages.length === 0) return null;
  return (
    <>
      <p>
        <Untrusted />
      </p>
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
