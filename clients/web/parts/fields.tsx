import { createContext, type ComponentChildren } from 'preact';
import { useContext, useId, useRef, useState } from 'preact/hooks';
import { unitsOf } from '../format.ts';
import { OutcomeUnknown } from '../../typescript/once.ts';
import { useAction } from '../load.ts';
import type { Press } from '../press.ts';
import { T } from '../texts.ts';
import { faultText } from './faults.ts';
import { Failure } from './states.tsx';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: string;
  /** Why the value cannot be right; it takes the place of the hint. */
  readonly problem?: string | undefined;
  /** The place of the value in the call, such as `body.amount`: its refusal is shown here. */
  readonly of?: string;
  readonly kind?: 'text' | 'search' | 'password';
  readonly mode?: 'decimal';
  readonly rows?: number;
}

/** The failure of the form around a field. */
const Failed = createContext<unknown>(undefined);

/** The hub's refusal of a field, until its value is changed. */
function useFault({ of = '', label, value }: Pick<FieldProps, 'of' | 'label' | 'value'>) {
  const error = useContext(Failed);
  const refused = useRef({ error, value });
  if (refused.current.error !== error) refused.current = { error, value };
  return of !== '' && refused.current.value === value ? faultText(error, of, label) : undefined;
}

export function Field({ problem: typed, ...field }: FieldProps) {
  const fault = useFault(field);
  const problem = typed ?? fault;
  const { label, value, onInput, hint = problem, kind = 'text', mode, rows } = field;
  const id = useId();
  const shared = {
    id,
    value,
    spellcheck: false,
    autocomplete: 'off',
    ...(problem !== undefined && { 'aria-invalid': true }),
    ...(hint !== undefined && { 'aria-describedby': `${id}-hint` }),
    onInput: (event: Event) => onInput(textOf(event)),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows !== undefined && <textarea {...shared} rows={rows} />}
      {rows === undefined && kind === 'search' && <input {...shared} type="search" />}
      {rows === undefined && kind === 'password' && (
        <input {...shared} type="password" autocomplete="new-password" />
      )}
      {rows === undefined && kind === 'text' && (
        <input {...shared} type="text" {...(mode !== undefined && { inputMode: mode })} />
      )}
      {hint !== undefined && (
        <small id={`${id}-hint`} class={problem === undefined ? 'quiet' : 'problem'}>
          {problem ?? hint}
        </small>
      )}
    </div>
  );
}

type AmountProps = Pick<FieldProps, 'label' | 'value' | 'onInput' | 'of'> & {
  readonly hint: string;
};

/** An amount in USDC; what is no amount says so in place of the hint. */
export function AmountField({ hint, ...field }: AmountProps) {
  const isBad = field.value !== '' && unitsOf(field.value) === undefined;
  return <Field {...field} mode="decimal" hint={hint} problem={isBad ? T.badAmount : undefined} />;
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
  readonly kind?: string;
  readonly children: ComponentChildren;
}

export function Form({ label, onSubmit, kind, children }: FormProps) {
  const submit = (event: Event): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form class={kind} aria-label={label} onSubmit={submit}>
      {children}
    </form>
  );
}

interface SubmitProps {
  readonly isRunning: boolean;
  readonly children: string;
  readonly isOff?: boolean;
  /** The one thing that a page is for. */
  readonly isMain?: boolean;
}

export function Submit({ isRunning, isOff = false, isMain = false, children }: SubmitProps) {
  return (
    <button type="submit" class={isMain ? 'main' : ''} disabled={isOff} aria-busy={isRunning}>
      {children}
    </button>
  );
}

interface SureFormProps {
  /** Names the first press, and the form unless it is named itself. */
  readonly label: string;
  /** Names the form where there are several. */
  readonly name?: string;
  /** The consequence of the second press, with every value that must be right. */
  readonly question: string;
  readonly yes: string;
  readonly isOff: boolean;
  readonly isMain?: boolean;
  /** The second press destroys something. */
  readonly isDanger?: boolean;
  readonly children?: ComponentChildren;
}

/**
 * Asks at the first press of an irreversible action and acts at the second; a changed question is
 * asked again. What may happen once alone is a `press`, other `work` can be repeated.
 */
export function SureForm({
  work,
  press,
  ...form
}: SureFormProps &
  (
    | { readonly work: () => Promise<void>; readonly press?: never }
    | { readonly press: Press; readonly work?: never }
  )) {
  const action = useAction();
  if (press !== undefined) {
    const { arm, run, isRunning, error } = press;
    return (
      <Once press={press}>
        <Asking {...form} arm={arm} run={run} isRunning={isRunning} error={error} />
      </Once>
    );
  }
  const run = (done: () => void): void =>
    action.run(async () => {
      await work();
      done();
    });
  const { isRunning, error } = action;
  return <Asking {...form} arm={() => {}} run={run} isRunning={isRunning} error={error} />;
}

interface AskingProps extends SureFormProps {
  readonly arm: () => void;
  readonly run: (done: () => void) => void;
  readonly isRunning: boolean;
  readonly error: unknown;
}

function Asking(props: AskingProps) {
  const { label, name = label, question, yes, isOff, isMain = false, isDanger = false } = props;
  const { arm, run, isRunning, error, children } = props;
  const [asked, setAsked] = useState<string>();
  const isSure = asked === question;
  const submit = (): void => {
    if (isOff) return;
    if (isSure) return run(() => setAsked(undefined));
    arm();
    setAsked(question);
  };
  return (
    <Form label={name} onSubmit={submit}>
      <Failed.Provider value={error}>{children}</Failed.Provider>
      {isSure && !isOff && (
        <p class="note" role="alert">
          {question}
        </p>
      )}
      <button
        type="submit"
        class={isSure ? (isDanger ? 'danger' : 'main') : isMain ? 'main' : ''}
        disabled={isOff}
        aria-busy={isRunning}
      >
        {isSure ? yes : label}
      </button>
      {isSure && (
        <button type="button" onClick={() => setAsked(undefined)}>
          {T.cancel}
        </button>
      )}
      {error !== undefined && <Failure error={error} />}
    </Form>
  );
}

interface OnceProps {
  readonly press: Press;
  readonly children: ComponentChildren;
}

/** A form, or in its place the press of it that has no answer, to be finished or given up. */
export function Once({ press, children }: OnceProps) {
  const { unanswered, isRunning, error } = press;
  if (unanswered === undefined) {
    return <Failed.Provider value={error}>{children}</Failed.Provider>;
  }
  const { what } = unanswered;
  return (
    <div class="note" role="group" aria-label={T.once.finish(what)}>
      <p role="alert">{T.once.lost(what)}</p>
      <p class="actions">
        <button type="button" class="main" aria-busy={isRunning} onClick={() => press.run()}>
          {T.once.finish(what)}
        </button>
      </p>
      {error !== undefined && !(error instanceof OutcomeUnknown) && <Failure error={error} />}
      <SureForm
        label={T.once.discard}
        question={T.once.discardQuestion(what)}
        yes={T.once.discardYes}
        isOff={isRunning}
        isDanger
        work={async () => press.discard()}
      />
    </div>
  );
}
