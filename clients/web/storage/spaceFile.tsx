import { useRef, useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { saveFile } from '../parts/files.ts';
import { LongWorkButton, useTransfer } from '../parts/longWork.tsx';
import { progressTexts as G } from '../texts/progress.ts';
import { storageTexts as S } from '../texts/storage.ts';
import { isWhole, piecesOf } from './lines.ts';
import type { Space, StorageProps } from './own.ts';
import { textOf } from './readOwn.ts';

interface SpaceFileProps extends StorageProps {
  readonly space: Space;
}

/** A space as a file of lines, saved from it or brought into it. */
export function SpaceFile(props: SpaceFileProps) {
  return (
    <div class="actions">
      <SaveSpace {...props} />
      {props.space.owner === props.account && <BringNotes {...props} />}
    </div>
  );
}

/** Lines of an export beside its notes: the space itself and the count at the end. */
const LINES_BESIDE = 2;

function SaveSpace({ hub, space: { id, name, notes } }: SpaceFileProps) {
  const save = useTransfer(async (report, signal) => {
    const init = { params: { path: { id } }, parseAs: 'stream' as const, signal };
    const reply = await hub.GET('/api/v1/memory/spaces/{id}/export', init);
    let lines = 0;
    report(0);
    const text = await textOf(unwrap(reply) as ReadableStream<Uint8Array>, (part) => {
      lines += part.split('\n').length - 1;
      report(lines);
    });
    if (!isWhole(text)) throw new TypeError('the export was cut off');
    saveFile(`${name}.jsonl`, text, 'application/jsonl');
  }, notes + LINES_BESIDE);
  return <LongWorkButton of={save} label={S.spaces.save(name)} format={G.export.rows} />;
}

/** Brings lines in pieces; those that were stored before a break are not sent again. */
function BringNotes({ hub, account, changed, space: { id, name } }: SpaceFileProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState<string>();
  const [message, setMessage] = useState('');
  const stored = useRef(0);
  const pieces = text === undefined ? [] : piecesOf(text);
  const bring = useTransfer(
    async (report, signal) => {
      let done = pieces.slice(0, stored.current).reduce((sum, { count }) => sum + count, 0);
      report(done);
      for (const { lines, count } of pieces.slice(stored.current)) {
        signal.throwIfAborted();
        const body = { owner: account, lines };
        const params = { path: { id } };
        unwrap(await hub.POST('/api/v1/memory/spaces/{id}/import', { params, body, signal }));
        stored.current += 1;
        report((done += count));
      }
      setText(undefined);
      setMessage(S.spaces.brought(done, name));
      changed();
    },
    pieces.reduce((sum, { count }) => sum + count, 0),
  );
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    stored.current = 0;
    setMessage('');
    setText(await file.text());
  };
  return (
    <>
      <button type="button" class="small" onClick={() => input.current?.click()}>
        {S.spaces.choose(name)}
      </button>
      <input
        ref={input}
        type="file"
        accept=".jsonl,.ndjson"
        hidden
        aria-label={S.spaces.choose(name)}
        onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
      />
      {text !== undefined && (
        <LongWorkButton of={bring} label={S.spaces.bring(pieces.length)} format={G.export.rows} />
      )}
      <span role="status">{message}</span>
    </>
  );
}
