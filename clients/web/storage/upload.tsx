import { useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { bytesText } from '../format.ts';
import { useAction } from '../load.ts';
import { Drop } from '../parts/drop.tsx';
import { Field, Form, Submit } from '../parts/fields.tsx';
import { base64Of } from '../parts/files.ts';
import { Failure } from '../parts/states.tsx';
import { storageTexts as S } from '../texts/storage.ts';
import { keyOfFile } from './fileKey.ts';
import type { StorageProps } from './own.ts';

/** The hub's limit of one file (choices memory.fees). */
const FILE_BYTES_MAX = 33_554_432;

/** Takes a file that is chosen or dropped, under a key that can be changed before it is stored. */
export function Upload({ hub, account, changed }: StorageProps) {
  const [file, setFile] = useState<File>();
  const [key, setKey] = useState('');
  const [asked, setAsked] = useState<string>();
  const [message, setMessage] = useState('');
  const action = useAction();
  const take = ([given]: readonly File[]): void => {
    if (given === undefined) return;
    setFile(given);
    setKey(keyOfFile(given.name));
    setAsked(undefined);
    setMessage('');
  };
  const isThere = async (): Promise<boolean> => {
    const params = { path: { owner: account }, query: { prefix: key, limit: 1 } };
    const { files } = unwrap(await hub.GET('/api/v1/files/{owner}', { params }));
    // A key comes before all that begin with it.
    return files[0]?.key === key;
  };
  const store = (): void =>
    action.run(async () => {
      if (file === undefined) return;
      if (asked !== key && (await isThere())) return setAsked(key);
      const body = { owner: account, key, contentBase64: await base64Of(file) };
      unwrap(await hub.POST('/api/v1/files', { body }));
      setMessage(S.files.stored(key));
      setFile(undefined);
      setAsked(undefined);
      changed();
    });
  const isTooLarge = file !== undefined && file.size > FILE_BYTES_MAX;
  return (
    <Drop
      choose={S.files.choose}
      take={take}
      below={
        <>
          {file !== undefined && (
            <Form label={S.files.store} onSubmit={store}>
              <p>{S.files.chosen(file.name, bytesText(file.size))}</p>
              {isTooLarge && (
                <p class="note" role="alert">
                  {S.files.tooLarge(bytesText(FILE_BYTES_MAX))}
                </p>
              )}
              <Field label={S.files.key} value={key} onInput={setKey} hint={S.files.keyHint} />
              {asked === key && (
                <p class="note" role="alert">
                  {S.files.replace(key)}
                </p>
              )}
              <Submit isRunning={action.isRunning} isOff={key === '' || isTooLarge} isMain>
                {asked === key ? S.files.replaceYes : S.files.store}
              </Submit>
            </Form>
          )}
          <p role="status">{message}</p>
          {action.error !== undefined && <Failure error={action.error} />}
        </>
      }
    >
      <p>{S.files.drop}</p>
    </Drop>
  );
}
