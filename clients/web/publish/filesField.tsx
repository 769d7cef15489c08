import { storeFile, type FileReference } from '../../typescript/files.ts';
import type { Hub } from '../../typescript/hub.ts';
import { bytesText } from '../format.ts';
import { Drop } from '../parts/drop.tsx';
import { publishTexts as P } from '../texts/publish.ts';

interface FilesFieldProps {
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
}

/** Files for the worker; a draft that is kept over a reload cannot hold them. */
export function FilesField({ files, onChange }: FilesFieldProps) {
  return (
    <Drop choose={P.chooseFile} take={(more) => onChange([...files, ...more])}>
      <p>{P.files}</p>
      <ul>
        {files.map((file) => (
          <li key={file.name}>
            {file.name} <span class="quiet">{bytesText(file.size)}</span>{' '}
            <button
              type="button"
              class="small"
              onClick={() => onChange(files.filter((each) => each !== file))}
            >
              {P.leaveFile}
            </button>
          </li>
        ))}
      </ul>
    </Drop>
  );
}

/** Stores the files under their names, in parts where they are large. */
export async function stored(hub: Hub, files: readonly File[]): Promise<FileReference[]> {
  const references: FileReference[] = [];
  for (const file of files) {
    const key = `tasks/${file.name.replaceAll(/[^A-Za-z0-9 ._@+=-]/g, '_').replace(/^\./, '_')}`;
    references.push(await storeFile(hub, key, new Uint8Array(await file.arrayBuffer())));
  }
  return references;
}
