import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Decision, Remark, Subject } from '../../domain/moderation/decision.ts';
import * as columns from '../batch/columns.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { shaped, table } from '../batch/table.ts';

/** Published with every decision that begins or is lifted. */
export const MODERATION_TOPIC = 'moderation';

export const MODERATION_HEAD = table(
  'moderation_head',
  { id: columns.integer().key(), change: columns.integer() },
  { use: 'single', personal: { apart: 'about no account' } },
);

interface StoredDecision extends Decision {
  /** The number of its last change. */
  readonly change: number;
}

export const MODERATION_DECISIONS = shaped(
  table(
    'moderation_decisions',
    {
      id: columns.text().key(),
      kind: columns.text<Decision['kind']>(),
      subject: columns.text<Subject['subject']>(),
      subjectId: columns.text(),
      account: columns.account().optional(),
      reason: columns.text(),
      at: columns.moment(),
      change: columns.integer(),
      liftedAt: columns.moment().optional(),
      appeal: columns.text().optional(),
      appealedAt: columns.moment().optional(),
      answer: columns.text().optional(),
      answeredAt: columns.moment().optional(),
    },
    {
      use: 'single',
      personal: { owner: 'account', stays: 'Decisions of the operator are never deleted.' },
    },
  ),
  {
    of: ({ account, appeal, appealedAt, answer, answeredAt, ...row }): StoredDecision => ({
      ...row,
      account,
      ...defined({ appeal: remark(appeal, appealedAt), answer: remark(answer, answeredAt) }),
    }),
    flat: ({ account, appeal, answer, ...row }) => ({
      ...row,
      ...defined({
        account,
        appeal: appeal?.text,
        appealedAt: appeal?.at,
        answer: answer?.text,
        answeredAt: answer?.at,
      }),
    }),
  },
);

function remark(text: string | undefined, at: Instant | undefined): Remark | undefined {
  return text === undefined || at === undefined ? undefined : { text, at };
}

const NEXT_CHANGE = statement('UPDATE moderation_head SET change = change + 1 RETURNING change');

/** Takes the number of the next change and its lock, so changes commit in the order of numbers. */
async function nextChange(tx: Writer): Promise<number> {
  const row = column.one(await linkOf(tx).rows(NEXT_CHANGE, []));
  if (row === undefined) throw new Error('the head of decisions must have a row');
  tx.publish(MODERATION_TOPIC);
  return column.whole(row, 'change');
}

const INSERT = statement(`
  ${MODERATION_DECISIONS.insertion}
  ON CONFLICT (subject, subject_id) WHERE lifted_at IS NULL DO NOTHING RETURNING id`);

/** Stores a decision. Returns false if one about the subject stands already. */
export async function insertDecision(tx: Writer, decision: Decision): Promise<boolean> {
  const cells = MODERATION_DECISIONS.cells({ ...decision, change: await nextChange(tx) });
  return (await linkOf(tx).rows(INSERT, cells)).length > 0;
}

const LIFT = statement('UPDATE moderation_decisions SET lifted_at = ?, change = ? WHERE id = ?');

/** Ends a locked decision; its record stays. */
export async function liftDecision(tx: Writer, id: string, at: Instant): Promise<void> {
  await linkOf(tx).rows(LIFT, [at, await nextChange(tx), id]);
}

const READ = 'SELECT * FROM moderation_decisions WHERE id = ?';
const LOCK = statement(READ, `${READ} FOR UPDATE`);

export async function lockDecision(tx: Writer, id: string): Promise<Decision | undefined> {
  const row = column.one(await linkOf(tx).rows(LOCK, [id]));
  return row && MODERATION_DECISIONS.fromRow(row);
}

const APPEAL = statement(
  'UPDATE moderation_decisions SET appeal = ?, appealed_at = ? WHERE id = ?',
);
const ANSWER = statement(
  'UPDATE moderation_decisions SET answer = ?, answered_at = ? WHERE id = ?',
);

export async function saveAppeal(tx: Writer, id: string, { text, at }: Remark): Promise<void> {
  await linkOf(tx).rows(APPEAL, [text, at, id]);
}

export async function saveAnswer(tx: Writer, id: string, { text, at }: Remark): Promise<void> {
  await linkOf(tx).rows(ANSWER, [text, at, id]);
}

const OF_ACCOUNT = statement(
  'SELECT * FROM moderation_decisions WHERE account = ? ORDER BY id DESC LIMIT ?',
);

/** The newest decisions about an account and what it published. */
export async function decisionsOf(
  db: Reader,
  account: Account,
  limit: number,
): Promise<readonly Decision[]> {
  return (await linkOf(db).rows(OF_ACCOUNT, [account, limit])).map(MODERATION_DECISIONS.fromRow);
}

const FOR_OPERATOR = statement(`
  SELECT * FROM moderation_decisions
   ORDER BY CASE WHEN appeal IS NOT NULL AND answer IS NULL THEN 0 ELSE 1 END, id DESC LIMIT ?`);

/** Decisions with an appeal that waits for an answer first, then the newest. */
export async function decisionsForOperator(
  db: Reader,
  limit: number,
): Promise<readonly Decision[]> {
  return (await linkOf(db).rows(FOR_OPERATOR, [limit])).map(MODERATION_DECISIONS.fromRow);
}

const HEAD = statement('SELECT change FROM moderation_head');
const CHANGED = statement(`
  SELECT * FROM moderation_decisions WHERE change > ? ORDER BY change LIMIT ?`);

/** Decisions that began or were lifted after a change, in the order of their changes. */
export async function changedDecisions(
  db: Reader,
  after: number,
  limit: number,
): Promise<readonly StoredDecision[]> {
  const head = column.one(await linkOf(db).rows(HEAD, []));
  if (head === undefined || column.whole(head, 'change') <= after) return [];
  return (await linkOf(db).rows(CHANGED, [after, limit])).map(MODERATION_DECISIONS.fromRow);
}

const COUNTS = statement(`
  SELECT count(CASE WHEN kind = 'ban' AND lifted_at IS NULL THEN 1 END) AS bans,
    count(CASE WHEN kind = 'hide' AND lifted_at IS NULL THEN 1 END) AS hidden,
    count(appeal) AS appeals,
    count(CASE WHEN appeal IS NOT NULL AND answer IS NULL THEN 1 END) AS appeals_open,
    count(CASE WHEN appeal IS NOT NULL AND lifted_at IS NOT NULL THEN 1 END) AS lifted_on_appeal
  FROM moderation_decisions`);

export interface DecisionCounts {
  readonly bans: number;
  readonly hidden: number;
  readonly appeals: number;
  readonly appealsOpen: number;
  readonly liftedOnAppeal: number;
}

export async function countDecisions(db: Reader): Promise<DecisionCounts> {
  const row = column.one(await linkOf(db).rows(COUNTS, []));
  if (row === undefined) throw new Error('a count must have a row');
  return {
    bans: column.whole(row, 'bans'),
    hidden: column.whole(row, 'hidden'),
    appeals: column.whole(row, 'appeals'),
    appealsOpen: column.whole(row, 'appeals_open'),
    liftedOnAppeal: column.whole(row, 'lifted_on_appeal'),
  };
}
