import { useState } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { nextCalls, type NextCall } from '../../typescript/next.ts';
import { usdc } from '../format.ts';
import { Field, SureForm } from '../parts/fields.tsx';
import { usePress } from '../press.ts';
import { T } from '../texts.ts';
import { workTexts } from '../texts/work.ts';
import { taskTexts } from '../texts/task.ts';
import type { Task } from '../types.ts';

interface StepProps {
  readonly step: NextCall;
  readonly task: Task;
  readonly hub: Hub;
  readonly own: string;
  readonly changed: () => void;
}

/** The step that a page names first; the others are secondary. */
const MAIN = 'tasks.accept';

/** A legal step with its call and fields for missing values; irreversible ones ask twice. */
export function Step({ step, task, hub, own, changed }: StepProps) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const known = Object.fromEntries(
    step.missing.filter((name) => step.call.body?.[name] === T.ownPlaceholder).map((n) => [n, own]),
  );
  const open = step.missing.filter((name) => !(name in known));
  const { label, question, yes } = wordsOf(step.action, task);
  const press = usePress(hub, {
    form: `${step.action} ${task.id} ${JSON.stringify(step.call.body)}`,
    what: workTexts.act.stepOf(label, task.title),
    work: async (once) => {
      const [again] = nextCalls(once, { next: [step] });
      await again?.run({ ...known, ...texts });
      changed();
    },
  });
  return (
    <SureForm
      label={label}
      question={question}
      yes={yes}
      isOff={open.some((name) => (texts[name] ?? '') === '')}
      isMain={step.action === MAIN}
      isDanger={step.action !== MAIN}
      press={press}
    >
      {open.map((name) => (
        <Field
          key={name}
          label={workTexts.act.fields[name] ?? name}
          value={texts[name] ?? ''}
          onInput={(text) => setTexts({ ...texts, [name]: text })}
        />
      ))}
    </SureForm>
  );
}

type Sure = keyof typeof taskTexts.sure;

/** An acceptance of what is accepted already pays before the window ends, and says so. */
function wordsOf(action: string, { state, reward }: Pick<Task, 'state' | 'reward'>) {
  const isWaiver = action === MAIN && state === 'accepted';
  const name = isWaiver ? 'waive' : action;
  const label = isWaiver ? taskTexts.waive : (T.actions[action] ?? action);
  if (!isSure(name)) return { label, question: label, yes: label };
  const amount =
    reward === undefined
      ? workTexts.work.unpaid
      : `${usdc(reward.amount)} ${T.unit(reward.network)}`;
  const { question, yes } = taskTexts.sure[name];
  return { label, question: question(amount), yes };
}

const isSure = (name: string): name is Sure => Object.hasOwn(taskTexts.sure, name);
