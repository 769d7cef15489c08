import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../load.ts';
import { Field, Form, Submit, SureForm } from '../parts/fields.tsx';
import { Empty, Failure } from '../parts/states.tsx';
import { storageTexts as S } from '../texts/storage.ts';

interface ChangeProps {
  /** Names the thing in the labels of what can be done with it. */
  readonly name: string;
  readonly children: ComponentChildren;
}

export function Change({ name, children }: ChangeProps) {
  return (
    <details>
      <summary>{S.change(name)}</summary>
      {children}
    </details>
  );
}

interface RenameProps {
  readonly name: string;
  readonly label: string;
  readonly rename: (to: string) => Promise<void>;
}

export function Rename({ name, label, rename }: RenameProps) {
  const [to, setTo] = useState(name);
  const action = useAction();
  const isSame = to.trim() === '' || to.trim() === name;
  return (
    <Form label={S.rename(name)} onSubmit={() => action.run(() => rename(to.trim()))}>
      <Field label={label} value={to} onInput={setTo} />
      <Submit isRunning={action.isRunning} isOff={isSame}>
        {S.rename(name)}
      </Submit>
      {action.error !== undefined && <Failure error={action.error} />}
    </Form>
  );
}

interface RemoveProps {
  readonly name: string;
  readonly question: string;
  readonly work: () => Promise<void>;
  readonly label?: string;
  readonly yes?: string;
}

export function Remove({
  name,
  question,
  work,
  label = S.remove(name),
  yes = S.sureYes,
}: RemoveProps) {
  return (
    <SureForm label={label} question={question} yes={yes} isOff={false} isDanger work={work} />
  );
}

interface RowsProps<T> extends PagerProps {
  readonly title: string;
  readonly none: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly row: (row: T) => ComponentChildren;
}

export function Rows<T>({ title, none, rows, keyOf, row, ...pager }: RowsProps<T>) {
  return (
    <>
      {rows.length === 0 ? (
        <Empty>{none}</Empty>
      ) : (
        <ul class="rows" aria-label={title}>
          {rows.map((each) => (
            <li key={keyOf(each)}>{row(each)}</li>
          ))}
        </ul>
      )}
      <Pager {...pager} />
    </>
  );
}

interface PagerProps {
  readonly after: string | undefined;
  readonly next: string | undefined;
  readonly show: (after: string | undefined) => void;
}

function Pager({ after, next, show }: PagerProps) {
  if (after === undefined && next === undefined) return null;
  return (
    <p class="actions">
      {after !== undefined && (
        <button type="button" onClick={() => show(undefined)}>
          {S.first}
        </button>
      )}
      {next !== undefined && (
        <button type="button" onClick={() => show(next)}>
          {S.next}
        </button>
      )}
    </p>
  );
}
