import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { usdc } from '../format.ts';
import { AmountField, Choice, Field, SureForm } from '../parts/fields.tsx';
import { usePress } from '../press.ts';
import { useFormDraft } from '../session.ts';
import { T } from '../texts.ts';
import { publishTexts as P } from '../texts/publish.ts';
import { termsTexts as X } from '../texts/terms.ts';
import type { Economics, Task } from '../types.ts';
import { amendOf, divisibleOf, EMPTY_AMEND, type AmendDraft, type Kind } from './amending.ts';

interface AmendFormProps {
  readonly task: Task;
  readonly economics: Economics;
  readonly kinds: readonly Kind[];
  readonly hub: Hub;
  readonly own: string;
  readonly changed: () => void;
}

/** One change of the terms at a time; its second press says what it is. */
export function AmendForm({ task, economics, kinds, hub, own, changed }: AmendFormProps) {
  const [draft, change, clear] = useFormDraft(`amend ${task.id}`, EMPTY_AMEND);
  const kind = kinds.find((each) => each === draft.kind) ?? kinds[0] ?? 'reward';
  const divisible = divisibleOf(economics);
  const asked = amendOf({ ...draft, kind }, task, divisible);
  const press = usePress(hub, {
    form: `amend ${task.id}`,
    what: X.pressOf(task.title),
    work: async (once) => {
      const params = { path: { id: task.id } };
      // On terms that changed meanwhile the hub refuses it.
      const body = { by: own, revision: task.terms.revision, ...asked };
      unwrap(await once.POST('/api/v1/tasks/{id}/amendments', { params, body }));
      clear();
      changed();
    },
  });
  return (
    <SureForm
      label={X.change}
      question={X.question(X.kinds[kind])}
      yes={X.yes}
      isOff={asked === undefined}
      press={press}
    >
      <Choice
        label={X.kind}
        value={kind}
        options={kinds.map((each) => [each, X.kinds[each]] as const)}
        onChange={(next) => change({ kind: next })}
      />
      <Value kind={kind} draft={draft} change={change} task={task} divisible={divisible} />
    </SureForm>
  );
}

interface ValueProps extends Pick<AmendFormProps, 'task'> {
  readonly kind: Kind;
  readonly draft: AmendDraft;
  readonly change: (change: Partial<AmendDraft>) => void;
  readonly divisible: bigint;
}

function Value({ kind, draft, change, task, divisible }: ValueProps) {
  const unit = T.unit(task.reward?.network ?? '');
  const amount = (next: string): void => change({ amount: next });
  switch (kind) {
    case 'reward':
      return (
        <AmountField
          label={X.reward}
          of="body.change.rewardAmount"
          value={draft.amount}
          onInput={amount}
          hint={X.rewardHint(`${usdc(task.reward?.amount ?? '0')} ${unit}`)}
        />
      );
    case 'split':
      return (
        <AmountField
          label={X.worker}
          of="body.split"
          value={draft.amount}
          onInput={amount}
          hint={X.workerHint(`${usdc(String(divisible))} ${unit}`)}
        />
      );
    case 'deadline':
      return (
        <Choice
          label={X.deadline}
          value={draft.later}
          options={X.later}
          onChange={(later) => change({ later })}
        />
      );
    case 'lease':
      return (
        <>
          {(['lease', 'renew'] as const).map((name) => (
            <Choice
              key={name}
              label={P[name]}
              value={draft[name]}
              options={P.spans[name].filter(([seconds]) => name === 'renew' || seconds !== '')}
              onChange={(seconds) => change({ [name]: seconds })}
            />
          ))}
        </>
      );
    case 'clarification':
      return (
        <Field
          label={X.clarification}
          of="body.change.clarification"
          value={draft.text}
          onInput={(text) => change({ text })}
          rows={3}
        />
      );
  }
}
