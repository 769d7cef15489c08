import { Choice, Field } from '../parts/fields.tsx';
import { publishTexts as P } from '../texts/publish.ts';
import {
  CONDITION_KINDS,
  NEW_CONDITION,
  type Condition,
  type ConditionFault,
  type ConditionKind,
} from './conditions.ts';

interface RuleBuilderProps {
  readonly conditions: readonly Condition[];
  readonly faults: readonly (ConditionFault | undefined)[];
  readonly onChange: (conditions: readonly Condition[]) => void;
}

export function RuleBuilder({ conditions, faults, onChange }: RuleBuilderProps) {
  return (
    <>
      {conditions.map((condition, place) => (
        <OneCondition
          key={place}
          name={P.condition(place + 1)}
          condition={condition}
          fault={faults[place]}
          onChange={(change) =>
            onChange(conditions.map((each, at) => (at === place ? { ...each, ...change } : each)))
          }
          onRemove={() => onChange(conditions.filter((_, at) => at !== place))}
        />
      ))}
      <p class="actions">
        <button type="button" onClick={() => onChange([...conditions, NEW_CONDITION])}>
          {P.addCondition}
        </button>
      </p>
    </>
  );
}

interface OneProps {
  readonly name: string;
  readonly condition: Condition;
  readonly fault: ConditionFault | undefined;
  readonly onChange: (change: Partial<Condition>) => void;
  readonly onRemove: () => void;
}

function OneCondition({ name, condition, fault, onChange, onRemove }: OneProps) {
  const { kind, path, text } = condition;
  const hasPath = kind === 'equals' || kind === 'length';
  // A field that is not filled yet is no fault to be shown.
  const hint = fault !== undefined && text !== '' ? P.faults[fault] : P.hints[kind];
  return (
    <fieldset>
      <legend>{name}</legend>
      <Choice
        label={P.kind}
        value={kind}
        options={CONDITION_KINDS.map((each) => [each, P.kinds[each]] as const)}
        onChange={(next) => onChange({ kind: next as ConditionKind })}
      />
      {hasPath && (
        <Field
          label={P.path}
          value={path}
          onInput={(next) => onChange({ path: next })}
          hint={P.pathHint}
        />
      )}
      <Field
        label={P.values[kind]}
        value={text}
        onInput={(next) => onChange({ text: next })}
        hint={hint}
        {...(!hasPath && { rows: kind === 'schema' ? 5 : 2 })}
      />
      <button type="button" class="small" onClick={onRemove}>
        {P.remove(name)}
      </button>
    </fieldset>
  );
}
