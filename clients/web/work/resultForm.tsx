import { useState } from 'preact/hooks';
import { useAction } from '../load.ts';
import { Choice, Field, Form, Submit } from '../parts/fields.tsx';
import { Failure } from '../parts/states.tsx';
import { useDraft } from '../session.ts';
import { workTexts } from '../texts/work.ts';
import type { Task } from '../types.ts';
import { wantsJson } from './rule.tsx';

interface ResultFormProps {
  readonly task: Task;
  readonly label: string;
  readonly send: (result: unknown) => Promise<void>;
}

/** A result typed by hand, as text or as JSON; a draft outlives a reload. */
export function ResultForm({ task, label, send }: ResultFormProps) {
  const [text, setText] = useDraft(`result ${task.id}`);
  const [form, setForm] = useState(wantsJson(task.acceptance) ? 'json' : 'text');
  const [fault, setFault] = useState('');
  const action = useAction();
  const submit = (): void => {
    const result = form === 'json' ? parsed(text) : text;
    setFault(result === undefined ? workTexts.act.notJson : '');
    if (result === undefined) return;
    action.run(async () => {
      await send(result);
      setText('');
    });
  };
  return (
    <Form label={label} onSubmit={submit}>
      <Choice
        label={workTexts.act.form}
        value={form}
        options={[
          ['text', workTexts.act.asText],
          ['json', workTexts.act.asJson],
        ]}
        onChange={setForm}
      />
      <Field label={workTexts.act.result} value={text} onInput={setText} rows={5} />
      {fault !== '' && (
        <p class="failure" role="alert">
          {fault}
        </p>
      )}
      <Submit isRunning={action.isRunning} isOff={text === ''} isMain>
        {label}
      </Submit>
      {action.error !== undefined && <Failure error={action.error} />}
    </Form>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
