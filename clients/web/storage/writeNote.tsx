import { useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { Field, Form, Once, Submit } from '../parts/fields.tsx';
import { Failure } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { useFormDraft } from '../session.ts';
import { storageTexts as S } from '../texts/storage.ts';
import type { StorageProps, StoredNote } from './own.ts';

interface WriteNoteProps extends StorageProps {
  readonly id: string;
  /** The note that is changed; absent for a new one. */
  readonly note?: StoredNote;
  readonly name?: string;
}

/** Writes a note. If its key changes, the former note goes (choices memory.deleting). */
export function WriteNote({ hub, account, id, changed, note, name }: WriteNoteProps) {
  const empty = { key: note?.key ?? '', content: note?.content ?? '' };
  const draft = `note ${id} ${note === undefined ? '' : `${note.noteId} ${note.at}`}`;
  const [{ key, content }, change, clear] = useFormDraft(draft, empty);
  const [message, setMessage] = useState('');
  const press = usePress(hub, {
    form: draft,
    what: S.notes.writeOf(key.trim()),
    work: async (once) => {
      const given = key.trim();
      const body = { author: account, spaceId: id, content, ...(given !== '' && { key: given }) };
      const { noteId } = unwrap(await once.POST('/api/v1/memory', { body }));
      if (note !== undefined && noteId !== note.noteId) {
        const former = { owner: account, noteIds: [note.noteId] };
        const params = { path: { id } };
        unwrap(await hub.POST('/api/v1/memory/spaces/{id}/delete', { params, body: former }));
      }
      clear();
      setMessage(S.notes.written);
      changed();
    },
  });
  const label = name === undefined ? S.notes.write : S.notes.save(name);
  const isSame = key.trim() === empty.key && content === empty.content;
  return (
    <Once press={press}>
      <Form label={label} onSubmit={() => press.run()}>
        <Field
          label={S.notes.key}
          value={key}
          onInput={(text) => change({ key: text })}
          hint={note === undefined ? S.notes.keyHint : S.notes.otherKeyHint}
        />
        <Field
          label={S.notes.content}
          value={content}
          onInput={(text) => change({ content: text })}
          rows={4}
          {...(note?.embedded === true && { hint: S.notes.embedded })}
        />
        <Submit isRunning={press.isRunning} isOff={content === '' || isSame}>
          {label}
        </Submit>
        <p role="status">{message}</p>
        {press.error !== undefined && <Failure error={press.error} />}
      </Form>
    </Once>
  );
}
