import { useRef, useState } from 'preact/hooks';
import { taskFile } from '../../typescript/files.ts';
import type { Hub } from '../../typescript/hub.ts';
import { bytesText } from '../format.ts';
import { Fingerprint } from '../parts/attachments.tsx';
import { saveFile } from '../parts/files.ts';
import { LongWorkButton, useTransfer } from '../parts/longWork.tsx';
import { attachmentTexts as A } from '../texts/attachments.ts';
import type { Task } from '../types.ts';

interface FilesProps {
  readonly id: string;
  readonly files: Task['files'];
  /** Reads in the name of the visitor, so that a party gets what is its own. */
  readonly hub: Hub;
}

/** The files of a brief or a result; the digest of each is compared before it is saved. */
export function TaskFiles({ id, files = [], hub }: FilesProps) {
  if (files.length === 0) return null;
  return (
    <>
      <p>{A.files}</p>
      <ul class="rows">
        {files.map((file) => (
          <OneFile key={file.sha256} id={id} file={file} hub={hub} />
        ))}
      </ul>
    </>
  );
}

interface OneFileProps extends Pick<FilesProps, 'id' | 'hub'> {
  readonly file: NonNullable<Task['files']>[number];
}

/** Small enough that a slow line shows that it moves. */
const PART_BYTES = 1_048_576;

function OneFile({ id, file: { key, sha256, bytes }, hub }: OneFileProps) {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const arrived = useRef<Uint8Array[]>([]);
  const [isSaved, setSaved] = useState(false);
  const transfer = useTransfer(async (onPart, signal) => {
    const options = { partBytes: PART_BYTES, parts: arrived.current, onPart, signal };
    const content = await taskFile(hub, id, sha256, options);
    arrived.current = [];
    // A browser shows no file of another account as a page of the hub.
    saveFile(name, Uint8Array.from(content), 'application/octet-stream');
    setSaved(true);
  }, bytes);
  return (
    <li>
      <span class="mono">{name}</span> <span class="quiet">{bytesText(bytes)}</span>{' '}
      <Fingerprint digest={sha256} />{' '}
      <LongWorkButton of={transfer} label={A.save(name)} format={bytesText} />
      <span role="status" class="quiet">
        {isSaved && !transfer.isRunning && ` ${A.saved}`}
      </span>
    </li>
  );
}
