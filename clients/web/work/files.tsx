import { taskFile } from '../../typescript/files.ts';
import type { Hub } from '../../typescript/hub.ts';
import { bytesText } from '../format.ts';
import { useAction } from '../load.ts';
import { saveFile } from '../parts/files.ts';
import { Failure } from '../parts/states.tsx';
import { taskTexts } from '../texts/task.ts';
import type { Task } from '../types.ts';

interface FilesProps {
  readonly id: string;
  readonly files: Task['files'];
  /** Reads in the name of the visitor, so that a party gets what is its own. */
  readonly hub: Hub;
}

/** The files of a brief or a result; the digest of each is compared before it is saved. */
export function TaskFiles({ id, files = [], hub }: FilesProps) {
  const action = useAction();
  if (files.length === 0) return null;
  const save = (key: string, digest: string): void =>
    action.run(async () => {
      const content = await taskFile(hub, id, digest);
      const name = key.slice(key.lastIndexOf('/') + 1);
      // A browser shows no file of another account as a page of the hub.
      saveFile(name, Uint8Array.from(content), 'application/octet-stream');
    });
  return (
    <>
      <p>{taskTexts.files}</p>
      <ul class="rows">
        {files.map(({ key, sha256, bytes }) => (
          <li key={sha256}>
            <span class="mono">{key}</span> <span class="quiet">{bytesText(bytes)}</span>{' '}
            <button
              type="button"
              class="small"
              disabled={action.isRunning}
              onClick={() => save(key, sha256)}
            >
              {taskTexts.saveFile}
            </button>
          </li>
        ))}
      </ul>
      {action.error !== undefined && <Failure error={action.error} />}
    </>
  );
}
