import { useState } from 'preact/hooks';
import type { components } from '../../../generated/types.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { useLive } from '../live.ts';
import { useLoad } from '../load.ts';
import { Field, Form, Once, Submit } from '../parts/fields.tsx';
import { Account, Section, Stranger, Time, Untrusted } from '../parts/shown.tsx';
import { Failure, With } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { pathTo } from '../routes.ts';
import { storageTexts as S } from '../texts/storage.ts';
import type { Got } from '../types.ts';
import { Change, Remove, Rows } from './change.tsx';
import { WriteNote } from './writeNote.tsx';
import type { StorageProps, StoredNote } from './own.ts';

type Contents = Got<'/api/v1/memory/spaces/{id}'>;
const LIMIT = 20;

interface NotesProps extends StorageProps {
  readonly id: string;
}

export function Notes(props: NotesProps) {
  const { hub, id } = props;
  const [after, setAfter] = useState<string>();
  const query = { limit: LIMIT, ...(after !== undefined && { cursor: after }) };
  const params = { path: { id }, query };
  const space = useLoad(`space ${id} ${after ?? ''}`, async (signal) =>
    unwrap(await hub.GET('/api/v1/memory/spaces/{id}', { params, signal })),
  );
  // Another account may write into a shared space (space.changed).
  useLive(space.reload);
  const changed = (): void => {
    space.reload();
    props.changed();
  };
  return (
    <Section
      title={S.notes.title(space.value?.space.name ?? '')}
      aside={<a href={pathTo('account/storage')}>{S.notes.close}</a>}
    >
      <With of={space}>
        {(contents) => (
          <>
            <Search {...props} changed={props.changed} />
            {contents.notes.some(({ author }) => author !== props.account) && <Untrusted />}
            <Rows
              title={S.notes.list}
              none={S.notes.none}
              rows={contents.notes}
              keyOf={(note) => `${note.noteId} ${note.at}`}
              row={(note) => (
                <OneNote
                  {...{ ...props, changed, note }}
                  may={mayOf(contents)}
                  hasModel={contents.space.model !== undefined}
                />
              )}
              after={after}
              next={contents.nextCursor}
              show={setAfter}
            />
            {mayOf(contents).write && (
              <>
                <h3>{S.notes.write}</h3>
                <WriteNote
                  {...props}
                  changed={changed}
                  hasModel={contents.space.model !== undefined}
                />
              </>
            )}
          </>
        )}
      </With>
    </Section>
  );
}

interface May {
  readonly write: boolean;
  readonly own: boolean;
}

function mayOf({ access: { youMay } }: Contents): May {
  return { write: youMay.includes('write'), own: youMay.includes('grant') };
}

interface OneNoteProps extends NotesProps {
  readonly note: StoredNote;
  readonly may: May;
  readonly hasModel: boolean;
}

function OneNote({ note, may, hasModel, ...props }: OneNoteProps) {
  const { hub, account, id, changed } = props;
  const { noteId, key, author, content, at, metadata, expiresAt } = note;
  const name = key ?? S.notes.unnamed(noteId.slice(-6));
  const remove = async (): Promise<void> => {
    const body = { owner: account, noteIds: [noteId] };
    const params = { path: { id } };
    unwrap(await hub.POST('/api/v1/memory/spaces/{id}/delete', { params, body }));
    changed();
  };
  return (
    <>
      <p class="meta">
        <b>{name}</b>
        <Account name={author} own={account} />
        <Time at={at} />
        {expiresAt !== undefined && (
          <span>
            {S.notes.expires} <Time at={expiresAt} />
          </span>
        )}
      </p>
      <Stranger text={content} />
      {metadata !== undefined && <Stranger text={JSON.stringify(metadata)} />}
      {(may.own || (may.write && author === account)) && (
        <Change name={name}>
          {may.write && <WriteNote {...props} {...{ note, name, hasModel }} />}
          <Remove name={name} question={S.notes.sure(name)} work={remove} />
        </Change>
      )}
    </>
  );
}

type Found = components['schemas']['NoteSearch'];

/** Finds notes by their words; each search is paid for, so it waits for the button. */
export function Search(props: NotesProps) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found>();
  const press = usePress(props.hub, {
    form: `search ${props.id}`,
    what: S.notes.searchOf(text.trim()),
    work: async (once) => {
      const body = { reader: props.account, spaceId: props.id, text: text.trim() };
      setFound(unwrap(await once.POST('/api/v1/memory/search', { body })));
      props.changed();
    },
  });
  return (
    <Once press={press}>
      <Form label={S.notes.search} onSubmit={() => press.run()}>
        <Field
          label={S.notes.words}
          kind="search"
          value={text}
          onInput={setText}
          hint={S.notes.wordsHint}
        />
        <Submit isRunning={press.isRunning} isOff={text.trim() === ''}>
          {S.notes.search}
        </Submit>
        {press.error !== undefined && <Failure error={press.error} />}
        {found !== undefined && (
          <div role="status">
            <p>{S.notes.found(found.count)}</p>
            <ul class="rows" aria-label={S.notes.results}>
              {found.results.map(({ noteId, key, content }) => (
                <li key={noteId}>
                  {key !== undefined && <b>{key}</b>}
                  <Stranger text={content} />
                </li>
              ))}
            </ul>
          </div>
        )}
      </Form>
    </Once>
  );
}
