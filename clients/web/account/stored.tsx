import { useState } from 'preact/hooks';
import { unwrap } from '../../typescript/index.ts';
import { bytesText } from '../format.ts';
import { useAction, useLoad } from '../load.ts';
import { Field, Form, Submit } from '../parts/fields.tsx';
import { Facts, Json, Money, Section, Stranger, Time } from '../parts/shown.tsx';
import { Empty, Failure, With } from '../parts/states.tsx';
import { useDraft } from '../session.ts';
import { custodyTexts as C } from '../texts/custody.ts';
import { T } from '../texts.ts';
import type { Got } from '../types.ts';
import type { OwnProps } from './own.ts';

type Space = Got<'/api/v1/memory/spaces/{id}'>;
const NOTES = 50;

/** What this account stores with the hub, its rent, and its contents on request. */
export function Stored(props: OwnProps) {
  const { hub, account } = props;
  const params = { path: { owner: account } };
  const usage = useLoad(`usage ${account}`, async (signal) =>
    unwrap(await hub.GET('/api/v1/memory/usage/{owner}', { params, signal })),
  );
  return (
    <Section title={C.stored.title} lead={C.stored.lead}>
      <With of={usage}>
        {({ spaces, notes, noteBytes, files, fileBytes, perDay, paidThrough, readOnly, quota }) => (
          <>
            {readOnly && <p class="note">{C.stored.readOnly}</p>}
            <Facts
              rows={[
                [C.stored.spaces, spaces],
                [C.stored.notes, C.stored.size(notes, bytesText(noteBytes))],
                [C.stored.files, C.stored.size(files, bytesText(fileBytes))],
                [C.stored.left, bytesText(quota.fileBytesLeft)],
                [C.stored.rent, <Money key="r" units={perDay.amount} network={perDay.network} />],
                [
                  C.stored.paid,
                  paidThrough === undefined ? undefined : <Time key="p" at={paidThrough} />,
                ],
              ]}
            />
          </>
        )}
      </With>
      <Notes {...props} />
      <File {...props} />
    </Section>
  );
}

function Notes({ hub }: OwnProps) {
  const [id, setId] = useDraft('space');
  const [space, setSpace] = useState<Space>();
  const action = useAction();
  const read = (): void =>
    action.run(async () => {
      const params = { path: { id: id.trim() }, query: { limit: NOTES } };
      setSpace(unwrap(await hub.GET('/api/v1/memory/spaces/{id}', { params })));
    });
  return (
    <Form label={C.stored.readSpace} onSubmit={read}>
      <Field label={C.stored.space} value={id} onInput={setId} hint={C.stored.spaceHint} />
      <Submit isRunning={action.isRunning} isOff={id.trim() === ''}>
        {C.stored.readSpace}
      </Submit>
      {action.error !== undefined && <Failure error={action.error} />}
      {space !== undefined && (
        <div role="status">
          <p class="quiet">{T.strangersText}</p>
          {space.notes.length === 0 && <Empty>{C.stored.noNotes}</Empty>}
          {space.notes.map((note) => (
            <Stranger key={note.noteId} text={note.content} />
          ))}
        </div>
      )}
    </Form>
  );
}

function File({ hub, account, changed }: OwnProps) {
  const [key, setKey] = useDraft('file');
  const [text, setText] = useState<string>();
  const action = useAction();
  const read = (): void =>
    action.run(async () => {
      const params = { path: { owner: account, key: key.trim() } };
      const { contentBase64 } = unwrap(await hub.GET('/api/v1/files/{owner}/{key}', { params }));
      const bytes = Uint8Array.from(atob(contentBase64), (char) => char.charCodeAt(0));
      setText(new TextDecoder().decode(bytes));
      changed();
    });
  return (
    <Form label={C.stored.read} onSubmit={read}>
      <Field label={C.stored.key} value={key} onInput={setKey} hint={C.stored.keyHint} />
      <Submit isRunning={action.isRunning} isOff={key.trim() === ''}>
        {C.stored.read}
      </Submit>
      {action.error !== undefined && <Failure error={action.error} />}
      {text !== undefined && <Json value={text} label={C.stored.content} />}
    </Form>
  );
}
