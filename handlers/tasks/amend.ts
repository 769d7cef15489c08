import { need } from '../../db/batch/need.ts';
import { AMENDMENTS } from '../../db/tasks/amendments.ts';
import { defined } from '../../domain/defined.ts';
import { answer, propose } from '../../domain/tasks/amend.ts';
import type { Proposal } from '../../domain/tasks/amend.ts';
import { refused, type Refused } from '../../domain/tasks/change.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { decideOn } from '../../workflows/tasks/decideOn.ts';
import { presentAmendment } from './present/amendment.ts';
import { presentChange } from './present/change.ts';

type Body = Call<'tasks.amend'>['body'];
const WORDS = ['accept', 'refuse', 'withdraw'] as const;

/** Transitions T29 and T30: terms that change for the better, or by the consent of both. */
export const amend: Handler<'tasks.amend'> = async (call, hub) => {
  const { id: taskId } = call.path;
  const { account: by } = call.caller;
  const { body } = call;
  const asked = askedOf(body);
  const named = asked !== undefined && 'word' in asked ? asked : undefined;
  const amending = decideOn(
    hub,
    {
      id: taskId,
      by,
      needs: named === undefined ? [] : [need(AMENDMENTS, named.id)],
      decide: (aggregate, now, db) => {
        const revision = defined({ revision: body.revision });
        if (asked === undefined) return notOne();
        if (!('word' in asked)) {
          return propose(aggregate, by, { ...asked, ...revision, id: db.newId(hub.ids) }, now);
        }
        const found = db.find(AMENDMENTS, asked.id);
        const amendment = found?.taskId === taskId ? found : undefined;
        return answer(aggregate, by, { amendment, word: asked.word, ...revision }, now);
      },
    },
    ({ committed, change }) => ({
      ...presentChange(committed, change, { hub, by }),
      amendment: presentAmendment(change.amendment, committed.aggregate, by),
    }),
  );
  return { status: 200, body: await hub.transactOnce(call, amending) };
};

type Asked =
  | { readonly word: (typeof WORDS)[number]; readonly id: string }
  | Pick<Proposal, 'change' | 'split'>;

/** The one thing that the call asks for; undefined when it is none, or more than one. */
function askedOf(body: Body): Asked | undefined {
  const { change, split } = body;
  const asked: Asked[] = WORDS.flatMap((word) => {
    const id = body[word];
    return id === undefined ? [] : [{ word, id }];
  });
  if (change !== undefined) asked.push({ change });
  if (split !== undefined) asked.push({ split });
  return asked.length === 1 ? asked[0] : undefined;
}

function notOne(): Refused {
  const why = 'A call has exactly one of change, split, accept, refuse and withdraw.';
  return refused('not-together', why, { field: 'body' });
}
