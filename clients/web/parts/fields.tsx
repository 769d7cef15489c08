import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** Labelled inputs. */
interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: string;
  readonly kind?: 'text' | 'search';
  readonly mode?: 'decimal';
  readonly rows?: number;
}

export function Field({ label, value, onInput, hint, kind = 'text', mode, rows }: FieldProps) {
  const id = useId();
  const shared = {
    id,
    value,
    spellcheck: false,
    autocomplete: 'off',
    ...(hint !== undefined && { 'aria-describedby': `${id}-hint` }),
    onInput: (event: Event) => onInput(textOf(event)),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows !== undefined && <textarea {...shared} rows={rows} />}
      {rows === undefined && kind === 'search' && <input {...shared} type="search" />}
      {rows === undefined && kind === 'text' && (
        <input {...shared} type="text" {...(mode !== undefined && { inputMode: mode })} />
      )}
      {hint !== undefined && (
        <small id={`${id}-hint`} class="quiet">
          {hint}
        </small>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}

export function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(textOf(event))}>
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

function textOf(event: Event): string {
  const { target } = event;
  const isField =
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement;
  return isField ? target.value : '';
}

interface FormProps {
  readonly label: string;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}

export function Form({ label, onSubmit, children }: FormProps) {
  const submit = (event: Event): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form aria-label={label} onSubmit={submit}>
      {children}
    </form>
  );
}

interface SubmitProps {
  readonly isRunning: boolean;
  readonly children: string;
  readonly isOff?: boolean;
}

export function Submit({ isRunning, isOff = false, children }: SubmitProps) {
  return (
    <button type="submit" class="main" disabled={isOff} aria-busy={isRunning}>
      {children}
    </button>
  );
}
