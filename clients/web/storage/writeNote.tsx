import { useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { Field, Form, Once, Submit } from '../parts/fields.tsx';
import { Failure } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { isRecord, jsonOr } from '../publish/conditions.ts';
import { useFormDraft } from '../session.ts';
import { storageTexts as S } from '../texts/storage.ts';
import type { StorageProps, StoredNote } from './own.ts';

interface WriteNoteProps extends StorageProps {
  readonly id: string;
  /** The note that is changed; absent for a new one. */
  readonly note?: StoredNote;
  readonly name?: string;
  /** Whether a model makes the vectors of the space. */
  readonly hasModel?: boolean;
}

/** The facts of a note from their text; undefined where it is no object of JSON. */
function factsOf(text: string): StoredNote['metadata'] {
  const read = text.trim() === '' ? {} : jsonOr(text, undefined);
  return isRecord(read) ? (read as StoredNote['metadata']) : undefined;
}

/** The moment of a typed date or time, of UTC where it names no zone. */
function momentOf(text: string): string | undefined {
  const typed = text.trim().replace(' ', 'T');
  if (!/^\d{4}-\d\d-\d\d(?:T|$)/.test(typed)) return undefined;
  const at = Date.parse(/T[\d:.]+$/.test(typed) ? `${typed}Z` : typed);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** Writes a note. If its key changes, the former note goes (choices memory.deleting). */
export function WriteNote(props: WriteNoteProps) {
  const { hub, account, id, changed, note, name, hasModel = false } = props;
  const empty = {
    key: note?.key ?? '',
    content: note?.content ?? '',
    facts: note?.metadata === undefined ? '' : JSON.stringify(note.metadata),
    until: note?.expiresAt ?? '',
  };
  const draft = `note ${id} ${note === undefined ? '' : `${note.noteId} ${note.at}`}`;
  const [draftOfNote, change, clear] = useFormDraft(draft, empty);
  const { key, content, facts, until } = draftOfNote;
  const [metadata, expiresAt] = [factsOf(facts), momentOf(until)];
  const [message, setMessage] = useState('');
  const press = usePress(hub, {
    form: draft,
    what: S.notes.writeOf(key.trim()),
    work: async (once) => {
      const given = key.trim();
      const body = {
        author: account,
        spaceId: id,
        content,
        ...(given !== '' && { key: given }),
        ...(facts.trim() !== '' && metadata !== undefined && { metadata }),
        ...(expiresAt !== undefined && { expiresAt }),
      };
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
  const isSame = JSON.stringify({ ...draftOfNote, key: key.trim() }) === JSON.stringify(empty);
  const isWrong = metadata === undefined || (until.trim() !== '' && expiresAt === undefined);
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
          {...(note?.embedded === true && !hasModel && { hint: S.notes.embedded })}
        />
        <Field
          label={S.notes.facts}
          value={facts}
          onInput={(text) => change({ facts: text })}
          hint={S.notes.factsHint}
          problem={metadata === undefined ? S.notes.noFacts : undefined}
        />
        <Field
          label={S.notes.until}
          value={until}
          onInput={(text) => change({ until: text })}
          hint={S.notes.untilHint}
          problem={isWrong && metadata !== undefined ? S.notes.noMoment : undefined}
        />
        <Submit isRunning={press.isRunning} isOff={content === '' || isSame || isWrong}>
          {label}
        </Submit>
        <p role="status">{message}</p>
        {press.error !== undefined && <Failure error={press.error} />}
      </Form>
    </Once>
  );
}
