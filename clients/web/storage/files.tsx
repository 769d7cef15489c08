import { useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { bytesText } from '../format.ts';
import { useAction, useLoad, useSettled } from '../load.ts';
import { Field } from '../parts/fields.tsx';
import { saveFile } from '../parts/files.ts';
import { LongWorkButton, useTransfer } from '../parts/longWork.tsx';
import { Json, Section, Time } from '../parts/shown.tsx';
import { Failure, With } from '../parts/states.tsx';
import { storageTexts as S } from '../texts/storage.ts';
import { Change, Remove, Rename, Rows } from './change.tsx';
import { nameOfKey } from './fileKey.ts';
import { readOwn } from './readOwn.ts';
import { Upload } from './upload.tsx';
import type { StorageProps, StoredFile } from './own.ts';

const LIMIT = 50;
const TYPING_MS = 300;
/** Larger files are downloaded and not shown on the page. */
const SHOWN_BYTES_MAX = 100_000;

export function Files(props: StorageProps) {
  const { hub, account } = props;
  const [typed, setPrefix] = useState('');
  const [after, setAfter] = useState<string>();
  const prefix = useSettled(typed.trim(), TYPING_MS);
  const params = {
    path: { owner: account },
    query: {
      limit: LIMIT,
      ...(prefix !== '' && { prefix }),
      ...(after !== undefined && { cursor: after }),
    },
  };
  const files = useLoad(`files ${account} ${prefix} ${after ?? ''}`, async (signal) =>
    unwrap(await hub.GET('/api/v1/files/{owner}', { params, signal })),
  );
  const changed = (): void => {
    files.reload();
    props.changed();
  };
  const filter = (text: string): void => {
    setPrefix(text);
    setAfter(undefined);
  };
  return (
    <Section title={S.files.title} lead={S.files.lead}>
      <Field label={S.files.prefix} kind="search" value={typed} onInput={filter} />
      <With of={files}>
        {(page) => (
          <Rows
            title={S.files.title}
            none={S.files.none}
            rows={page.files}
            keyOf={({ key }) => key}
            row={(file) => <OneFile hub={hub} account={account} changed={changed} file={file} />}
            after={after}
            next={page.nextCursor}
            show={setAfter}
          />
        )}
      </With>
      <h3>{S.files.add}</h3>
      <Upload hub={hub} account={account} changed={changed} />
    </Section>
  );
}

interface OneFileProps extends StorageProps {
  readonly file: StoredFile;
}

function OneFile({ hub, account, changed, file: { key, bytes, at } }: OneFileProps) {
  const [text, setText] = useState<string>();
  const action = useAction();
  const params = { path: { owner: account, key } };
  const read = (onPart: (done: number) => void, signal?: AbortSignal) =>
    readOwn(hub, { owner: account, key, bytes }, onPart, signal);
  const download = useTransfer(async (report, signal) => {
    saveFile(nameOfKey(key), await read(report, signal), 'application/octet-stream');
  }, bytes);
  const show = (): void =>
    action.run(async () => setText(new TextDecoder().decode(await read(() => undefined))));
  const rename = async (to: string): Promise<void> => {
    unwrap(await hub.POST('/api/v1/files/{owner}/{key}/rename', { params, body: { to } }));
    changed();
  };
  const remove = async (): Promise<void> => {
    unwrap(await hub.POST('/api/v1/files/{owner}/{key}/delete', { params }));
    changed();
  };
  return (
    <>
      <p class="meta">
        <code>{key}</code>
        <span>{bytesText(bytes)}</span>
        <Time at={at} />
      </p>
      <p class="actions">
        <LongWorkButton of={download} label={S.files.download(key)} format={bytesText} />
        {bytes <= SHOWN_BYTES_MAX && (
          <button type="button" class="small" onClick={show}>
            {S.files.show(key)}
          </button>
        )}
      </p>
      {action.error !== undefined && <Failure error={action.error} />}
      {text !== undefined && <Json value={text} label={S.files.content(key)} />}
      <Change name={key}>
        <Rename name={key} label={S.files.newKey} rename={rename} />
        <Remove name={key} question={S.files.sure(key, bytesText(bytes))} work={remove} />
      </Change>
    </>
  );
}
