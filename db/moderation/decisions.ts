import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Decision, Remark, Subject } from '../../domain/moderation/decision.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';

/** Published with every decision that begins or is lifted. */
export const MODERATION_TOPIC = 'moderation';

const NEXT_CHANGE = statement('UPDATE moderation_head SET change = change + 1 RETURNING change');

/** Takes the number of the next change and its lock, so changes commit in the order of numbers. */
async function nextChange(tx: Writer): Promise<number> {
  const row = column.one(await linkOf(tx).rows(NEXT_CHANGE, []));
  if (row === undefined) throw new Error('the head of decisions must have a row');
  tx.publish(MODERATION_TOPIC);
  return column.whole(row, 'change');
}

const INSERT = statement(`
  INSERT INTO moderation_decisions (id, kind, subject, subject_id, account, reason, at, change)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (subject, subject_id) WHERE lifted_at IS NULL DO NOTHING RETURNING id`);

/** Stores a decision. Returns false if one about the subject stands already. */
export async function insertDecision(tx: Writer, decision: Decision): Promise<boolean> {
  const { id, kind, subject, subjectId, account, reason, at } = decision;
  const change = await nextChange(tx);
  const row = [id, kind, subject, subjectId, account ?? null, reason, at, change];
  return (await linkOf(tx).rows(INSERT, row)).length > 0;
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
  return row && decisionOf(row);
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
  return (await linkOf(db).rows(OF_ACCOUNT, [account, limit])).map(decisionOf);
}

const FOR_OPERATOR = statement(`
  SELECT * FROM moderation_decisions
   ORDER BY CASE WHEN appeal IS NOT NULL AND answer IS NULL THEN 0 ELSE 1 END, id DESC LIMIT ?`);

/** Decisions with an appeal that waits for an answer first, then the newest. */
export async function decisionsForOperator(
  db: Reader,
  limit: number,
): Promise<readonly Decision[]> {
  return (await linkOf(db).rows(FOR_OPERATOR, [limit])).map(decisionOf);
}

const HEAD = statement('SELECT change FROM moderation_head');
const CHANGED = statement(`
  SELECT id, subject, subject_id, account, change, lifted_at FROM moderation_decisions
   WHERE change > ? ORDER BY change LIMIT ?`);

export interface ChangedDecision extends Subject {
  readonly id: string;
  readonly account: Account | undefined;
  readonly change: number;
  readonly stands: boolean;
}

/** Decisions that began or were lifted after a change, in the order of their changes. */
export async function changedDecisions(
  db: Reader,
  after: number,
  limit: number,
): Promise<readonly ChangedDecision[]> {
  const head = column.one(await linkOf(db).rows(HEAD, []));
  if (head === undefined || column.whole(head, 'change') <= after) return [];
  return (await linkOf(db).rows(CHANGED, [after, limit])).map((row) => ({
    ...subjectOf(row),
    id: column.text(row, 'id'),
    change: column.whole(row, 'change'),
    stands: row['lifted_at'] === null,
  }));
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

function subjectOf(row: Row): Subject & Pick<Decision, 'account'> {
  return {
    subject: column.text(row, 'subject') as Subject['subject'],
    subjectId: column.text(row, 'subject_id'),
    account: row['account'] === null ? undefined : column.account(row, 'account'),
  };
}

function decisionOf(row: Row): Decision {
  const liftedAt = column.timeOrNull(row, 'lifted_at');
  const remark = (name: string, at: string): Remark | undefined =>
    row[name] === null ? undefined : { text: column.text(row, name), at: column.time(row, at) };
  const appeal = remark('appeal', 'appealed_at');
  const answer = remark('answer', 'answered_at');
  return {
    ...subjectOf(row),
    id: column.text(row, 'id'),
    kind: column.text(row, 'kind') as Decision['kind'],
    reason: column.text(row, 'reason'),
    at: column.time(row, 'at'),
    ...(liftedAt !== null && { liftedAt }),
    ...(appeal && { appeal }),
    ...(answer && { answer }),
  };
}
