import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { useAction } from '../load.ts';
import { Field, Form, Submit } from '../parts/fields.tsx';
import { Stranger, Time } from '../parts/shown.tsx';
import { Failure } from '../parts/states.tsx';
import { useFormDraft } from '../session.ts';
import { termsTexts } from '../texts/terms.ts';
import type { Task } from '../types.ts';
import { keptUntil } from './kept.ts';

const A = termsTexts.alive;
type Attempt = Task['workers'][number];

interface AliveProps {
  readonly task: Task;
  readonly attempt: Attempt;
  readonly hub: Hub;
  readonly own: string;
  readonly changed: () => void;
}

/** The sign of life of who holds a task: it renews the claim, and says how far the work is. */
export function Alive({ task, attempt, hub, own, changed }: AliveProps) {
  const [draft, change] = useFormDraft(`alive ${task.id}`, { percent: '', note: '' });
  const action = useAction();
  const percent = draft.percent.trim();
  const isBad = percent !== '' && !(/^\d{1,3}$/.test(percent) && Number(percent) <= 100);
  const send = (): void =>
    action.run(async () => {
      const params = { path: { id: task.id } };
      const note = draft.note.trim();
      const body = {
        agentId: own,
        ...(percent !== '' && { percent: Number(percent) }),
        ...(note !== '' && { note }),
      };
      unwrap(await hub.POST('/api/v1/tasks/{id}/start', { params, body }));
      changed();
    });
  return (
    <details>
      <summary>{A.label}</summary>
      <Form label={A.label} onSubmit={() => !isBad && send()}>
        <p class="quiet">
          {A.lead} <Time at={keptUntil(task, attempt)} />.
        </p>
        <Field
          label={A.percent}
          value={draft.percent}
          onInput={(next) => change({ percent: next })}
          problem={isBad ? A.badPercent : undefined}
        />
        <Field
          label={A.note}
          value={draft.note}
          onInput={(note) => change({ note })}
          hint={A.noteHint}
        />
        <Submit isRunning={action.isRunning} isOff={isBad}>
          {A.send}
        </Submit>
        {action.error !== undefined && <Failure error={action.error} />}
      </Form>
    </details>
  );
}

/** Shows what the worker reported last, for its requester and other readers. */
export function ProgressOf({ attempt: { progress } }: Pick<AliveProps, 'attempt'>) {
  if (progress === undefined) return null;
  const { percent, note, at } = progress;
  return (
    <>
      {percent !== undefined && (
        <>
          <progress max={100} value={percent} aria-label={termsTexts.progress} /> {percent} %,{' '}
        </>
      )}
      <Time at={at} />
      {note !== undefined && <Stranger text={note} />}
    </>
  );
}
