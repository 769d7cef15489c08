import { useEffect, useRef, useState } from 'preact/hooks';
import { sha256, storeFile, type FileReference } from '../../typescript/files.ts';
import type { Hub } from '../../typescript/hub.ts';
import { bytesText } from '../format.ts';
import { attachmentTexts as A } from '../texts/attachments.ts';
import { Drop } from './drop.tsx';
import { ProgressLine, useProgress } from './longWork.tsx';

/** Limits of the contract: of one file, and of the files of one brief or result. */
const FILE_BYTES_MAX = 33_554_432;
const FILES_MAX = 20;

export interface Attachments {
  readonly files: readonly File[];
  readonly change: (files: readonly File[]) => void;
  readonly progress: ReturnType<typeof useProgress>['progress'];
  /** Stores what is not stored yet, and returns how the task names each file. */
  readonly store: (hub: Hub) => Promise<readonly FileReference[]>;
}

/** Files beside a form; a draft that is kept over a reload cannot hold them. */
export function useAttachments(): Attachments {
  const [files, setFiles] = useState<readonly File[]>([]);
  // A second press after a failure stores no file twice.
  const stored = useRef(new WeakMap<File, FileReference>());
  const { progress, begin, end } = useProgress();
  const store = async (hub: Hub): Promise<readonly FileReference[]> => {
    const there = files.filter((file) => stored.current.has(file));
    let done = sizeOf(there);
    const report = begin(sizeOf(files));
    report(done);
    for (const file of files) {
      if (stored.current.has(file)) continue;
      const content = await bytesOfFile(file);
      const before = done;
      const onPart = (part: number): void => report(before + part);
      const key = keyOf(file.name, await sha256(content));
      stored.current.set(file, await storeFile(hub, key, content, { onPart, ...kindOf(file) }));
      report((done += file.size));
    }
    end();
    return files.flatMap((file) => stored.current.get(file) ?? []);
  };
  return { files, change: setFiles, progress, store };
}

const sizeOf = (files: readonly File[]): number => files.reduce((sum, { size }) => sum + size, 0);
const bytesOfFile = async (file: File): Promise<Uint8Array> =>
  new Uint8Array(await file.arrayBuffer());

/** A key has the beginning of the digest, so that no other file of the same name is replaced. */
function keyOf(name: string, digest: string): string {
  const safe = name.replaceAll(/[^A-Za-z0-9 ._@+=-]/g, '_').replace(/^\./, '_');
  return `tasks/${digest.slice(0, 12)}/${safe.slice(-100)}`;
}

/** As the contract takes it; a browser names a kind that it does not know with no letter. */
const MEDIA_TYPE = /^[a-z0-9]+\/[a-z0-9][a-z0-9.+-]*$/;
const kindOf = ({ type }: File): { readonly mediaType?: string } =>
  MEDIA_TYPE.test(type) ? { mediaType: type } : {};

interface AttachmentsFieldProps {
  readonly of: Attachments;
  readonly lead: string;
}

export function AttachmentsField({ of: { files, change, progress }, lead }: AttachmentsFieldProps) {
  const [fault, setFault] = useState('');
  const take = (more: readonly File[]): void => {
    const large = more.find(({ size }) => size > FILE_BYTES_MAX);
    const kept = [...files, ...more.filter((file) => file !== large)];
    setFault(
      large !== undefined
        ? A.tooLarge(large.name, bytesText(FILE_BYTES_MAX))
        : kept.length > FILES_MAX
          ? A.tooMany(FILES_MAX)
          : '',
    );
    change(kept.filter(({ size }) => size <= FILE_BYTES_MAX).slice(0, FILES_MAX));
  };
  return (
    <Drop choose={A.choose} take={take}>
      <p>{lead}</p>
      <ul class="rows">
        {files.map((file) => (
          <li key={`${file.name} ${file.lastModified}`}>
            {file.name} <span class="quiet">{bytesText(file.size)}</span> <Digest of={file} />{' '}
            <button
              type="button"
              class="small"
              onClick={() => change(files.filter((each) => each !== file))}
            >
              {A.leave(file.name)}
            </button>
          </li>
        ))}
      </ul>
      {progress !== undefined && (
        <ProgressLine progress={progress} label={A.storing} format={bytesText} />
      )}
      {fault !== '' && (
        <p class="note" role="alert">
          {fault}
        </p>
      )}
    </Drop>
  );
}

/** Computed here before anything is sent: the task will name these bytes and no others. */
function Digest({ of: file }: { readonly of: File }) {
  const [digest, setDigest] = useState<string>();
  useEffect(() => {
    let isGone = false;
    void bytesOfFile(file)
      .then(sha256)
      .then((computed) => {
        if (!isGone) setDigest(computed);
      });
    return () => void (isGone = true);
  }, [file]);
  return digest === undefined ? null : <Fingerprint digest={digest} />;
}

export function Fingerprint({ digest }: { readonly digest: string }) {
  return (
    <span class="quiet mono" title={digest}>
      {A.digest(digest.slice(0, 12))}
    </span>
  );
}
