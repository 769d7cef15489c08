import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { useLoad } from '../load.ts';
import { Field, Form, Once, Submit } from '../parts/fields.tsx';
import { Account, Section, Stranger, Time, Untrusted } from '../parts/shown.tsx';
import { Empty, Failure, With } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { reader, useDraft, useSession } from '../session.ts';
import { workTexts } from '../texts/work.ts';

const LIMIT = 50;

export function Comments({ id }: { readonly id: string }) {
  const session = useSession();
  const own = session.state === 'open' ? session.account : undefined;
  const params = { path: { id }, query: { limit: LIMIT } };
  // Messages of a private task are shown to the account that they are for.
  const signer = session.state === 'open' ? session.hub : reader;
  const loaded = useLoad(`comments ${id} ${own ?? ''}`, async (signal) =>
    unwrap(await signer.GET('/api/v1/tasks/{id}/comments', { params, signal })),
  );
  return (
    <Section title={workTexts.task.comments} aside={<Untrusted />}>
      <With of={loaded}>
        {({ comments }) =>
          comments.length === 0 ? (
            <Empty>{workTexts.task.noComments}</Empty>
          ) : (
            <ul class="rows">
              {comments.map((comment) => (
                <li key={comment.id} class={`depth${Math.min(3, comment.depth)}`}>
                  <p class="meta">
                    <Account name={comment.author} own={own} />
                    <Time at={comment.createdAt} />
                  </p>
                  {comment.body === null ? (
                    <p class="quiet">{workTexts.task.withdrawn}</p>
                  ) : (
                    <Stranger text={comment.body} />
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </With>
      {session.state === 'open' && (
        <Write id={id} hub={session.hub} own={session.account} written={loaded.reload} />
      )}
    </Section>
  );
}

interface WriteProps {
  readonly id: string;
  readonly hub: Hub;
  readonly own: string;
  readonly written: () => void;
}

export function Write({ id, hub, own, written }: WriteProps) {
  const [text, setText] = useDraft(`comment ${id}`);
  const shown = (): void => {
    setText('');
    written();
  };
  const press = usePress(hub, {
    form: `comment ${id}`,
    what: workTexts.task.yourCommentOf,
    work: async (once) => {
      const params = { path: { id } };
      const body = { author: own, body: text };
      unwrap(await once.POST('/api/v1/tasks/{id}/comments', { params, body }));
      shown();
    },
  });
  return (
    <Once press={press}>
      <Form label={workTexts.task.comment} onSubmit={() => press.run()}>
        <Field label={workTexts.task.yourComment} value={text} onInput={setText} rows={2} />
        <Submit isRunning={press.isRunning} isOff={text.trim() === ''}>
          {workTexts.task.comment}
        </Submit>
        {press.error !== undefined && <Failure error={press.error} />}
      </Form>
    </Once>
  );
}
