import { useState } from 'preact/hooks';
import { Choice, Field } from '../parts/fields.tsx';
import { isRecord } from '../publish/conditions.ts';
import { toolFormTexts as F } from '../texts/toolForm.ts';
import type { FormNode, Leaf } from './nodes.ts';
import { faultOf, memberOf, textOf, valueOf, withMember } from './values.ts';

interface SchemaFormProps {
  readonly fields: readonly FormNode[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly onChange: (values: Record<string, unknown>) => void;
}

/** One field for each member of the arguments; nested objects are groups of fields. */
export function SchemaForm({ fields, values, onChange }: SchemaFormProps) {
  return (
    <>
      {fields.map((field) => {
        const value = memberOf(values, field.name);
        const set = (next: unknown): void => onChange(withMember(values, field.name, next));
        if (field.kind !== 'group') {
          return <LeafField key={field.name} field={field} value={value} onChange={set} />;
        }
        return (
          <fieldset key={field.name}>
            <legend>{field.isRequired ? field.label : F.optional(field.label)}</legend>
            {field.hint !== '' && <small class="quiet">{field.hint}</small>}
            <SchemaForm
              fields={field.fields}
              values={isRecord(value) ? value : {}}
              onChange={(next) => set(Object.keys(next).length === 0 ? undefined : next)}
            />
          </fieldset>
        );
      })}
    </>
  );
}

interface LeafProps {
  readonly field: Leaf;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function LeafField({ field, value, onChange }: LeafProps) {
  // `1.0` means the number 1, and is still what was typed.
  const [typed, setTyped] = useState('');
  const { kind, isRequired } = field;
  const label = isRequired ? field.label : F.optional(field.label);
  const isTyped = JSON.stringify(valueOf(field, typed)) === JSON.stringify(value);
  const text = isTyped ? typed : textOf(field, value);
  const input = (next: string): void => {
    setTyped(next);
    onChange(valueOf(field, next));
  };
  if (kind === 'choice' || kind === 'flag') {
    const options =
      kind === 'flag'
        ? [['true', F.yes] as const, ['false', F.no] as const]
        : field.options.map((option) => [textOf(field, option), textOf(field, option)] as const);
    const none = isRequired && value !== undefined ? [] : [['', F.leftOut] as const];
    return (
      <>
        <Choice label={label} value={text} options={[...none, ...options]} onChange={input} />
        {field.hint !== '' && <small class="quiet">{field.hint}</small>}
      </>
    );
  }
  const fault = value === undefined ? undefined : faultOf(field, value);
  const shape = kind === 'lines' ? F.lines : kind === 'json' ? F.json : '';
  const hint = fault === undefined ? `${field.hint} ${shape}`.trim() : F.fault(fault, field.label);
  const rows = kind === 'lines' || kind === 'json' ? 3 : kind === 'text' && field.isLong ? 4 : 0;
  return (
    <Field
      label={label}
      value={text}
      onInput={input}
      {...(hint !== '' && { hint })}
      {...(kind === 'number' && { mode: 'decimal' as const })}
      {...(rows > 0 && { rows })}
    />
  );
}
