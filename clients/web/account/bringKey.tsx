import { useId, useState } from 'preact/hooks';
import { shortAccount } from '../format.ts';
import { useAction } from '../load.ts';
import { Choice, Field, Form, Submit } from '../parts/fields.tsx';
import { Failure } from '../parts/states.tsx';
import { bringKey, makeKey, useSession } from '../session.ts';
import { backupTexts as B } from '../texts/backup.ts';
import { keyFileOf, unlock } from './keyFile.ts';

export function OtherKeys() {
  const session = useSession();
  if (session.state !== 'none') return null;
  return (
    <details>
      <summary>{B.others}</summary>
      <Bring />
      <MakeOpen />
    </details>
  );
}

function MakeOpen() {
  const action = useAction();
  return (
    <>
      <p>{B.makeOpenLead}</p>
      <button
        type="button"
        onClick={() => action.run(() => makeKey(true))}
        aria-busy={action.isRunning}
      >
        {B.makeOpen}
      </button>
      {action.error !== undefined && <Failure error={action.error} />}
    </>
  );
}

/** The form takes a secret, so no draft of it is stored. */
function Bring() {
  const [text, setText] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [copies, setCopies] = useState('');
  const [isWrong, setWrong] = useState(false);
  const action = useAction();
  const found = keyFileOf(text);
  const bring = (): void =>
    action.run(async () => {
      setWrong(false);
      if (found.is === 'none') return;
      const secret = found.is === 'plain' ? found.secret : await unlock(found.file, passphrase);
      if (secret === undefined) setWrong(true);
      else await bringKey(secret, copies === '1');
    });
  return (
    <Form label={B.bring} onSubmit={bring}>
      <p>{B.bringLead}</p>
      <FileChoice chosen={setText} />
      <Field
        label={B.text}
        value={text}
        onInput={setText}
        rows={3}
        {...(text !== '' && {
          hint:
            found.is === 'locked'
              ? B.locked(shortAccount(found.file.account))
              : plainHint(found.is),
        })}
      />
      {found.is === 'locked' && (
        <Field label={B.passphrase} kind="password" value={passphrase} onInput={setPassphrase} />
      )}
      <Choice label={B.copies} value={copies} options={B.copiesOptions} onChange={setCopies} />
      <Submit
        isRunning={action.isRunning}
        isOff={found.is === 'none' || (found.is === 'locked' && passphrase === '')}
      >
        {B.bring}
      </Submit>
      {isWrong && (
        <p class="failure" role="alert">
          {B.wrong}
        </p>
      )}
      {action.error !== undefined && <Failure error={action.error} />}
    </Form>
  );
}

const plainHint = (is: 'plain' | 'none'): string => (is === 'none' ? B.notKey : '');

function FileChoice({ chosen }: { readonly chosen: (text: string) => void }) {
  const id = useId();
  const read = ({ target }: Event): void => {
    const file = target instanceof HTMLInputElement ? target.files?.[0] : undefined;
    void file?.text().then(chosen);
  };
  return (
    <div class="field">
      <label for={id}>{B.file}</label>
      <input
        id={id}
        type="file"
        accept=".json,.key"
        aria-describedby={`${id}-hint`}
        onChange={read}
      />
      <small id={`${id}-hint`} class="quiet">
        {B.fileHint}
      </small>
    </div>
  );
}
