import { useRef, useState } from 'preact/hooks';
import { unwrap } from '../../typescript/index.ts';
import { verify, type Facts as VerifiedFacts, type Refused } from '../../typescript/verify.ts';
import { useAction, type Loaded } from '../load.ts';
import { Field } from '../parts/fields.tsx';
import { Facts, Section } from '../parts/shown.tsx';
import { Failure } from '../parts/states.tsx';
import { reader } from '../session.ts';
import { T } from '../texts.ts';
import { fileOf } from './fileOf.ts';

type Verdict = VerifiedFacts | Refused;

/** What was dropped or pasted is checked in this browser; nothing of it is sent anywhere. */
export function CheckHere({ keys: hubKeys }: { readonly keys: Loaded<unknown> }) {
  const [text, setText] = useState('');
  const [saved, setSaved] = useState<unknown>();
  const [verdict, setVerdict] = useState<Verdict>();
  const [isOver, setOver] = useState(false);
  const action = useAction();
  const input = useRef<HTMLInputElement>(null);
  const keys = saved ?? hubKeys.value;

  const check = (given: string): void => {
    setText(given);
    setVerdict(undefined);
    if (given.trim() === '') return;
    action.run(async () => {
      const file = fileOf(given);
      if (file.kind === 'keys') {
        setSaved(file.value);
        setText('');
      } else if (file.kind === 'object') setVerdict(await verify.file(file.value, keys));
      else setVerdict({ ok: false, reason: 'shape', at: '', says: T.check.notJson });
    });
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    readAll(event.dataTransfer?.files, check);
  };
  const newest = (): void =>
    action.run(async () => {
      const { seal } = unwrap(await reader.GET('/api/v1/economy'));
      // The block before is stamped already; the newest may wait for its minute to end.
      const block = String(Math.max(0, (seal?.body.blockNo ?? 0) - 1));
      const sealed = unwrap(
        await reader.GET('/api/v1/economy/seals/{block}', { params: { path: { block } } }),
      );
      setText(JSON.stringify(sealed, null, 2));
      setVerdict(await verify.file(sealed, keys));
    });
  return (
    <Section title={T.check.title} lead={T.check.lead}>
      <div
        class={isOver ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Field label={T.check.paste} value={text} onInput={check} rows={6} hint={T.check.hint} />
        <p class="actions">
          <button type="button" onClick={() => input.current?.click()}>
            {T.check.choose}
          </button>
          <button type="button" onClick={newest} aria-busy={action.isRunning}>
            {T.check.newest}
          </button>
        </p>
        <input
          ref={input}
          type="file"
          accept="application/json,.json"
          hidden
          aria-label={T.check.choose}
          onChange={() => readAll(input.current?.files, check)}
        />
      </div>
      <p class="quiet">{saved === undefined ? T.check.hubKeys : T.check.savedKeys}</p>
      {action.error !== undefined && <Failure error={action.error} />}
      {verdict !== undefined && <VerdictOf verdict={verdict} />}
    </Section>
  );
}

/** Larger files are none that a hub signs. */
const FILE_BYTES_MAX = 4_000_000;

function readAll(files: FileList | null | undefined, check: (text: string) => void): void {
  for (const file of files ?? []) {
    if (file.size > FILE_BYTES_MAX) check(T.check.tooLarge);
    else void file.text().then(check);
  }
}

function VerdictOf({ verdict }: { readonly verdict: Verdict }) {
  if (!verdict.ok) {
    return (
      <div class="failure" role="alert">
        <p>
          <strong>{T.check.refused}</strong> {T.check.reasons[verdict.reason]}
        </p>
        <p>
          {verdict.at !== '' && <code>{verdict.at}</code>} {verdict.says}
        </p>
        <p>{T.check.refusedNext}</p>
      </div>
    );
  }
  const { ok: _, kind, ...facts } = verdict;
  return (
    <div class="good" role="status">
      <p>
        <strong>{T.check.verified}</strong> {T.check.kinds[kind]}
      </p>
      <Facts
        rows={Object.entries(facts).map(([name, value]) => [
          T.check.facts[name] ?? name,
          <span key={name} class="mono">
            {Array.isArray(value) ? value.join(', ') : String(value)}
          </span>,
        ])}
      />
    </div>
  );
}
