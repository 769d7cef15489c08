import { useRef, useState } from 'preact/hooks';
import { storeFile } from '../../typescript/files.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { bytesText } from '../format.ts';
import { Drop } from '../parts/drop.tsx';
import { Field, Form, Once, Submit } from '../parts/fields.tsx';
import { ProgressLine, useProgress } from '../parts/longWork.tsx';
import { Failure } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { progressTexts as G } from '../texts/progress.ts';
import { storageTexts as S } from '../texts/storage.ts';
import { keyOfFile } from './fileKey.ts';
import type { StorageProps } from './own.ts';

/** The hub's limit of one file (choices memory.fees). */
const FILE_BYTES_MAX = 33_554_432;
/** A larger file goes in parts, of which those that are stored already are not sent again. */
const PART_BYTES = 4_194_304;

/** Takes a file that is chosen or dropped, under a key that can be changed before it is stored. */
export function Upload({ hub, account, changed }: StorageProps) {
  const [file, setFile] = useState<File>();
  const [key, setKey] = useState('');
  const [asked, setAsked] = useState<string>();
  const [message, setMessage] = useState('');
  const take = ([given]: readonly File[]): void => {
    if (given === undefined) return;
    setFile(given);
    end();
    setKey(keyOfFile(given.name));
    setAsked(undefined);
    setMessage('');
  };
  const leaving = useRef<AbortController | undefined>(undefined);
  const { progress, begin, end } = useProgress();
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
      const content = new Uint8Array((await file?.arrayBuffer()) ?? []);
      const { signal } = (leaving.current = new AbortController());
      const isWhole = content.length <= PART_BYTES;
      const options = { partBytes: PART_BYTES, onPart: begin(content.length), signal };
      try {
        // Parts are named by their digests, so that a repeat needs no key of a press.
        const stored = await storeFile(isWhole ? once : hub, key, content, options);
        setMessage(S.files.stored(stored.key));
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
      end();
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
                  {progress !== undefined && !press.isRunning
                    ? G.resume
                    : asked === key
                      ? S.files.replaceYes
                      : S.files.store}
                </Submit>
              </Form>
            )}
            {press.error !== undefined && <Failure error={press.error} />}
          </Once>
          {progress !== undefined && (
            <p class="actions">
              <ProgressLine progress={progress} label={S.files.store} format={bytesText} />
              {press.isRunning && (
                <button type="button" class="small" onClick={() => leaving.current?.abort()}>
                  {G.stop}
                </button>
              )}
            </p>
          )}
          <p role="status">{message}</p>
        </>
      }
    >
      <p>{S.files.drop}</p>
    </Drop>
  );
}
