import { useEffect, useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { useAction, type Loaded } from '../load.ts';
import { Drop } from '../parts/drop.tsx';
import { Field } from '../parts/fields.tsx';
import { Facts, Section } from '../parts/shown.tsx';
import { Failure } from '../parts/states.tsx';
import { paidIn, receiptInLink } from '../receipts/sentence.ts';
import { Sentence } from '../receipts/taskReceipt.tsx';
import { reader, useSession } from '../session.ts';
import { checkTexts as C } from '../texts/check.ts';
import { receiptTexts as R } from '../texts/receipts.ts';
import type { Verdict } from './dropped.ts';
import { fileOf } from './fileOf.ts';

/** Checks a dropped or pasted text in this browser; nothing of it is sent anywhere. */
export function CheckHere({ keys: hubKeys }: { readonly keys: Loaded<unknown> }) {
  const [text, setText] = useState(() => receiptInLink(location.hash) ?? '');
  const [saved, setSaved] = useState<unknown>();
  const [verdict, setVerdict] = useState<Verdict>();
  const action = useAction();
  const keys = saved ?? hubKeys.value;
  const isWaiting = keys === undefined && hubKeys.isLoading;

  const check = (given: string): void => {
    setText(given);
    setVerdict(undefined);
    if (given.trim() === '' || isWaiting) return;
    action.run(async () => {
      const file = fileOf(given);
      if (file.kind === 'keys') {
        setSaved(file.value);
        setText('');
      } else if (file.kind === 'object') setVerdict(await verdictOf(file.value, keys));
      else setVerdict({ ok: false, reason: 'shape', at: '', says: C.notJson });
    });
  };
  // A text that was pasted before the keys had arrived is checked once they are here.
  useEffect(() => check(text), [isWaiting]);
  const newest = (): void =>
    action.run(async () => {
      const { seal } = unwrap(await reader.GET('/api/v1/economy'));
      // The block before is stamped already; the newest may wait for its minute to end.
      const block = String(Math.max(0, (seal?.body.blockNo ?? 0) - 1));
      const sealed = unwrap(
        await reader.GET('/api/v1/economy/seals/{block}', { params: { path: { block } } }),
      );
      setText(JSON.stringify(sealed, null, 2));
      setVerdict(await verdictOf(sealed, keys));
    });
  return (
    <Section title={C.title} lead={C.lead}>
      <Drop
        choose={C.choose}
        accept="application/json,.json"
        take={(files) => readAll(files, check)}
        more={
          <button type="button" onClick={newest} aria-busy={action.isRunning}>
            {C.newest}
          </button>
        }
      >
        <Field label={C.paste} value={text} onInput={check} rows={6} hint={C.hint} />
      </Drop>
      <p class="quiet">{saved === undefined ? C.hubKeys : C.savedKeys}</p>
      {action.error !== undefined && <Failure error={action.error} />}
      {verdict !== undefined && <VerdictOf verdict={verdict} text={text} />}
    </Section>
  );
}

/** Loads the verifier with the first text to check. */
async function verdictOf(value: unknown, keys: unknown): Promise<Verdict> {
  const { verifyDropped } = await import('./dropped.ts');
  return verifyDropped(value, keys);
}

/** Larger files are none that a hub signs. */
const FILE_BYTES_MAX = 4_000_000;

function readAll(files: readonly File[], check: (text: string) => void): void {
  for (const file of files) {
    if (file.size > FILE_BYTES_MAX) check(C.tooLarge);
    else void file.text().then(check);
  }
}

interface VerdictProps {
  readonly verdict: Verdict;
  readonly text: string;
}

function VerdictOf({ verdict, text }: VerdictProps) {
  const session = useSession();
  const own = session.state === 'open' ? session.account : undefined;
  if (!verdict.ok) {
    return (
      <div class="failure" role="alert">
        <p>
          <strong>{C.refused}</strong> {C.reasons[verdict.reason]}
        </p>
        <p>
          {verdict.at !== '' && <code>{verdict.at}</code>} {verdict.says}
        </p>
        <p>{C.refusedNext}</p>
      </div>
    );
  }
  const { kind, facts } = verdict;
  const file = kind === 'receipt' ? fileOf(text) : undefined;
  const paid =
    file?.kind === 'object' ? paidIn(Reflect.get(Object(file.value), 'receipt'), own) : undefined;
  return (
    <div class="good verified" role="status">
      {paid !== undefined && <Sentence paid={paid} isChecked />}
      <p>
        <strong>{C.verified}</strong> {C.kinds[kind] ?? kind}
      </p>
      {paid !== undefined && (
        <p class="actions">
          <button type="button" onClick={() => print()}>
            {R.print}
          </button>
        </p>
      )}
      <Facts
        rows={Object.entries(facts).map(([name, value]) => [
          C.facts[name] ?? name,
          <span key={name} class="mono">
            {Array.isArray(value) ? value.join(', ') : String(value)}
          </span>,
        ])}
      />
    </div>
  );
}
