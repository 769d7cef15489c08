import { useState } from 'preact/hooks';
import type { components } from '../../../generated/types.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { typedUnits, unitsOf, usdc } from '../format.ts';
import { useAction } from '../load.ts';
import { AmountField, Field, Form, Submit } from '../parts/fields.tsx';
import { Failure } from '../parts/states.tsx';
import { custodyTexts as C } from '../texts/custody.ts';
import type { OwnProps } from './own.ts';
import { defined } from '../../../domain/defined.ts';

type Budget = components['schemas']['ApiKeyPolicy'];

const AMOUNTS = ['perCall', 'perHour', 'perDay', 'perMonth'] as const;

/** The typed texts of the fields of a budget. */
export type BudgetDraft = Readonly<Record<(typeof AMOUNTS)[number] | 'models', string>>;

export const NO_BUDGET: BudgetDraft = {
  perCall: '',
  perHour: '',
  perDay: '',
  perMonth: '',
  models: '',
};

/** The budget of the fields; undefined where they are empty, or one is no amount. */
export function budgetOf(draft: BudgetDraft): Budget | undefined {
  const budget: Budget = {};
  for (const name of AMOUNTS) {
    const units = unitsOf(draft[name]);
    if (units !== undefined) budget[name] = units;
  }
  const models = draft.models.split(/[\s,]+/).filter((name) => name !== '');
  if (models.length > 0) budget.models = models;
  return Object.keys(budget).length === 0 || isWrong(draft) ? undefined : budget;
}

export const isWrong = (draft: BudgetDraft): boolean =>
  AMOUNTS.some((name) => draft[name] !== '' && unitsOf(draft[name]) === undefined);

function draftOf(budget: Budget): BudgetDraft {
  const typed = (name: (typeof AMOUNTS)[number]): string => typedUnits(budget[name] ?? '');
  return {
    perCall: typed('perCall'),
    perHour: typed('perHour'),
    perDay: typed('perDay'),
    perMonth: typed('perMonth'),
    models: (budget.models ?? []).join(', '),
  };
}

interface FieldsProps {
  readonly draft: BudgetDraft;
  readonly change: (change: Partial<BudgetDraft>) => void;
  readonly within: string;
}

export function BudgetFields({ draft, change, within }: FieldsProps) {
  return (
    <>
      {AMOUNTS.map((name) => (
        <AmountField
          key={name}
          label={C.budget.amounts[name]}
          of={`${within}.${name}`}
          value={draft[name]}
          onInput={(text) => change({ [name]: text })}
          hint={C.budget.optional}
        />
      ))}
      <Field
        label={C.budget.models}
        of={`${within}.models`}
        value={draft.models}
        onInput={(models) => change({ models })}
        hint={C.budget.modelsHint}
      />
    </>
  );
}

/** The budget in one line. */
export function budgetText(budget: Budget): string {
  const amounts = AMOUNTS.flatMap((name) => {
    const units = budget[name];
    return units === undefined ? [] : [C.budget.limits[name](usdc(units))];
  });
  const models = budget.models === undefined ? [] : [C.budget.modelLimits(budget.models)];
  return [...amounts, ...models].join('; ') || C.budget.none;
}

interface ChangeProps extends Pick<OwnProps, 'hub' | 'account'> {
  readonly id: string;
  readonly name: string;
  readonly budget: Budget;
  readonly changed: () => void;
}

/** Replaces the budget of a key; empty fields lift it. Its expiry stays. */
export function ChangeBudget({ hub, account, id, name, budget, changed }: ChangeProps) {
  const [draft, setDraft] = useState<BudgetDraft>(() => draftOf(budget));
  const action = useAction();
  const save = (): void =>
    action.run(async () => {
      const { expiresAt } = budget;
      const kept = { ...budgetOf(draft), ...defined({ expiresAt }) };
      const body = Object.keys(kept).length === 0 ? { lifted: true as const } : kept;
      const params = { path: { owner: account, keyId: id } };
      unwrap(await hub.POST('/api/v1/wallet/{owner}/keys/{keyId}/policy', { params, body }));
      changed();
    });
  return (
    <details>
      <summary>{C.budget.changeOf(name)}</summary>
      <Form label={C.budget.changeOf(name)} onSubmit={save}>
        <BudgetFields
          draft={draft}
          change={(part) => setDraft({ ...draft, ...part })}
          within="body"
        />
        <Submit isRunning={action.isRunning} isOff={isWrong(draft)}>
          {C.budget.save}
        </Submit>
        {action.error !== undefined && <Failure error={action.error} />}
      </Form>
    </details>
  );
}
