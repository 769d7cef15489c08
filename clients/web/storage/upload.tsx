import { useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { bytesText } from '../format.ts';
import { Drop } from '../parts/drop.tsx';
import { Field, Form, Once, Submit } from '../parts/fields.tsx';
import { base64Of } from '../parts/files.ts';
import { Failure } from '../parts/states.tsx';
import { usePress } from '../press.ts';
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
  const press = usePress(hub, {
    form: 'store a file',
    what: S.files.storeOf(key),
    work: async (once, lost) => {
      if (lost === undefined && asked !== key && (await isThere())) return setAsked(key);
      const contentBase64 = file === undefined ? '' : await base64Of(file);
      const body = { owner: account, key, contentBase64 };
      const stored = unwrap(await once.POST('/api/v1/files', { body }));
      setMessage(S.files.stored(stored.key));
      setFile(undefined);
      setAsked(undefined);
      changed();
    },
  });
  const isTooLarge = file !== undefined && file.size > FILE_BYTES_MAX;
  return (
    <Drop
      choose={S.files.choose}
      take={take}
      below={
        <>
          <Once press={press}>
            {file !== undefined && (
              <Form label={S.files.store} onSubmit={() => press.run()}>
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
                <Submit isRunning={press.isRunning} isOff={key === '' || isTooLarge} isMain>
                  {asked === key ? S.files.replaceYes : S.files.store}
                </Submit>
              </Form>
            )}
            {press.error !== undefined && <Failure error={press.error} />}
          </Once>
          <p role="status">{message}</p>
        </>
      }
    >
      <p>{S.files.drop}</p>
    </Drop>
  );
}
