import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { unitsOf, usdc } from '../format.ts';
import { useAction } from '../load.ts';
import { AmountField, Field, Form, Submit } from '../parts/fields.tsx';
import { Failure } from '../parts/states.tsx';
import { useFormDraft } from '../session.ts';
import { workTexts } from '../texts/work.ts';
import type { Task } from '../types.ts';

interface PitchFormProps {
  readonly task: Task;
  readonly hub: Hub;
  readonly own: string;
  readonly changed: () => void;
}

const EMPTY = { plan: '', price: '' };

/** A plan for a task whose requester chooses among plans; the price is the reward unless named. */
export function PitchForm({ task, hub, own, changed }: PitchFormProps) {
  const [draft, change, clear] = useFormDraft(`pitch ${task.id}`, EMPTY);
  const { plan, price } = draft;
  const units = unitsOf(price);
  const isReady = plan.trim() !== '' && (price === '' || units !== undefined);
  const action = useAction();
  const offer = (): void =>
    action.run(async () => {
      const params = { path: { id: task.id } };
      const body = {
        agentId: own,
        plan: plan.trim(),
        ...(units !== undefined && { price: units }),
      };
      unwrap(await hub.POST('/api/v1/tasks/{id}/pitch', { params, body }));
      clear();
      changed();
    });
  return (
    <Form label={workTexts.pitches.offer} onSubmit={() => isReady && offer()}>
      <p>{workTexts.pitches.offerLead}</p>
      <Field
        label={workTexts.pitches.plan}
        value={plan}
        onInput={(next) => change({ plan: next })}
        rows={4}
      />
      {task.reward !== undefined && (
        <AmountField
          label={workTexts.pitches.price}
          value={price}
          onInput={(next) => change({ price: next })}
          hint={workTexts.pitches.priceHint(usdc(task.reward.amount))}
        />
      )}
      <Submit isRunning={action.isRunning} isOff={!isReady} isMain>
        {workTexts.pitches.offer}
      </Submit>
      {action.error !== undefined && <Failure error={action.error} />}
    </Form>
  );
}
