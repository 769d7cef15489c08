import { useState } from 'preact/hooks';
import type { FileReference } from '../../typescript/files.ts';
import type { Hub } from '../../typescript/hub.ts';
import type { KeptCall } from '../../typescript/once.ts';
import { AttachmentsField, useAttachments } from '../parts/attachments.tsx';
import { Choice, Field, Form, Once, Submit } from '../parts/fields.tsx';
import { Failure } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { useDraft } from '../session.ts';
import { attachmentTexts } from '../texts/attachments.ts';
import { workTexts } from '../texts/work.ts';
import type { Task } from '../types.ts';
import { wantsJson } from './rule.tsx';

interface ResultFormProps {
  readonly task: Task;
  readonly hub: Hub;
  readonly label: string;
  readonly send: (once: Hub, given: Given, lost: KeptCall | undefined) => Promise<void>;
}

interface Given {
  readonly result: unknown;
  /** Stored before the result that names them. */
  readonly files: readonly FileReference[];
}

/** A result typed by hand, as text or as JSON, with files; a draft outlives a reload. */
export function ResultForm({ task, hub, label, send }: ResultFormProps) {
  const [text, setText] = useDraft(`result ${task.id}`);
  const [form, setForm] = useState(wantsJson(task.acceptance) ? 'json' : 'text');
  const [fault, setFault] = useState('');
  const attachments = useAttachments();
  const result = form === 'json' ? parsed(text) : text;
  const press = usePress(hub, {
    form: `${label} ${task.id}`,
    what: workTexts.act.resultOf(task.title),
    work: async (once, lost) => {
      const files = lost === undefined ? await attachments.store(hub) : [];
      await send(once, { result, files }, lost);
      attachments.change([]);
      setText('');
    },
  });
  const submit = (): void => {
    setFault(result === undefined ? workTexts.act.notJson : '');
    if (result !== undefined) press.run();
  };
  return (
    <Once press={press}>
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
        <AttachmentsField of={attachments} lead={attachmentTexts.result} />
        {fault !== '' && (
          <p class="failure" role="alert">
            {fault}
          </p>
        )}
        <Submit isRunning={press.isRunning} isOff={text === ''} isMain>
          {label}
        </Submit>
        {press.error !== undefined && <Failure error={press.error} />}
      </Form>
    </Once>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
