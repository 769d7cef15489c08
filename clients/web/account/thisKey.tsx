import { useState } from 'preact/hooks';
import { useAction } from '../load.ts';
import { Field, Form, Submit, SureForm } from '../parts/fields.tsx';
import { saveFile } from '../parts/files.ts';
import { Section } from '../parts/shown.tsx';
import { Failure } from '../parts/states.tsx';
import { forgetKey, secretOfKey } from '../session.ts';
import { backupTexts as B } from '../texts/backup.ts';
import { lock, PASSPHRASE_LENGTH_MIN } from './keyFile.ts';

interface ThisKeyProps {
  readonly account: string;
  readonly isExportable: boolean;
}

export function ThisKey({ account, isExportable }: ThisKeyProps) {
  return (
    <Section title={B.title}>
      {(isExportable ? B.open : B.closed).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {isExportable && <Backup account={account} />}
      <SureForm
        label={B.forget}
        question={isExportable ? B.forgetOpen : B.forgetClosed}
        yes={B.forgetYes}
        isOff={false}
        isDanger
        work={forgetKey}
      />
    </Section>
  );
}

/** The passphrase is typed twice, because a typing error could not be found later. */
function Backup({ account }: Pick<ThisKeyProps, 'account'>) {
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [message, setMessage] = useState('');
  const action = useAction();
  const isLong = passphrase.length >= PASSPHRASE_LENGTH_MIN;
  const isSame = passphrase === again;
  const save = (): void =>
    action.run(async () => {
      setMessage('');
      const secret = await secretOfKey();
      if (secret === undefined) throw new TypeError('this key cannot be read');
      const name = `agent-exchange-${account.slice(4, 12)}.json`;
      saveFile(name, await lock(account, secret, passphrase), 'application/json');
      setMessage(B.saved(name));
      for (const set of [setPassphrase, setAgain]) set('');
    });
  return (
    <Form label={B.save} onSubmit={() => isLong && isSame && save()}>
      <Field
        label={B.passphrase}
        kind="password"
        value={passphrase}
        onInput={setPassphrase}
        hint={B.passphraseHint(PASSPHRASE_LENGTH_MIN)}
      />
      <Field
        label={B.again}
        kind="password"
        value={again}
        onInput={setAgain}
        {...(again !== '' && !isSame && { hint: B.differ })}
      />
      <Submit isRunning={action.isRunning} isOff={!isLong || !isSame} isMain>
        {B.save}
      </Submit>
      <p role="status">{message}</p>
      {action.error !== undefined && <Failure error={action.error} />}
    </Form>
  );
}
