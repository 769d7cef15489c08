import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import {
  ACCEPTANCE_KINDS,
  DRAWS_MAX,
  type AcceptanceKind,
  type JudgedDraw,
} from '../../domain/validators/measures.ts';
import type { PanelSize, Verdict } from '../../domain/validators/panel.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row } from '../connection.ts';
import { linkGroups } from '../tasks/linkGroups.ts';
import { VERDICTS } from './rounds.ts';

const NEWEST = (kind: string): string => `
  SELECT s.verdict AS vote, s.answer_ms, s.confidence_bps, r.size, r.verdict AS decided,
      r.attempt_id, t.requester, t.required_skills, t.reward, t.judges_bps, t.judges,
      t.accepted_attempt, ${kind} AS kind, d.verdict AS ruling, d.raised_by, p.answer AS planted
    FROM panel_seats s JOIN panel_rounds r ON r.id = s.round_id JOIN tasks t ON t.id = r.task_id
      LEFT JOIN disputes d ON d.task_id = r.task_id AND d.state = 'ruled'
      LEFT JOIN planted_answers p ON p.attempt_id = r.attempt_id
   WHERE s.account = ? AND s.state IN ('voted', 'no-show') AND r.state <> 'open'
   ORDER BY s.round_id DESC LIMIT ?`;
const DRAWS = statement(
  NEWEST(`json_extract(t.acceptance, '$.kind')`),
  NEWEST(`t.acceptance::json ->> 'kind'`),
);

const TOTAL = statement(`
  SELECT count(*) AS total FROM panel_seats s JOIN panel_rounds r ON r.id = s.round_id
   WHERE s.account = ? AND s.state IN ('voted', 'no-show') AND r.state <> 'open'`);

export interface JudgedDraws {
  readonly newest: readonly JudgedDraw[];
  readonly total: number;
}

/** The newest draws of a judge in ended rounds, newest first, and how many there are in all. */
export async function judgedDraws(db: Reader, account: Account): Promise<JudgedDraws> {
  const rows = await linkOf(db).rows(DRAWS, [account, DRAWS_MAX]);
  const requesters = [...new Set(rows.map((row) => column.account(row, 'requester')))];
  const groups = await linkGroups(db, requesters);
  const [{ total = 0 } = {}] = await linkOf(db).rows(TOTAL, [account]);
  return { newest: rows.map((row) => drawOf(row, groups)), total: Number(total) };
}

function drawOf(row: Row, groups: ReadonlyMap<Account, string>): JudgedDraw {
  const requester = column.account(row, 'requester');
  const vote = verdictOf(row, 'vote');
  const decided = verdictOf(row, 'decided');
  return {
    requester: groups.get(requester) ?? requester,
    size: column.whole(row, 'size') as PanelSize,
    ...defined({
      vote,
      decided,
      planted: verdictOf(row, 'planted'),
      ruled: confirmed(row, requester),
      answerMs: column.wholeOrNull(row, 'answer_ms') ?? undefined,
      confidenceBps: column.wholeOrNull(row, 'confidence_bps') ?? undefined,
      ...(vote !== undefined && decided !== undefined && { earned: earnedOf(row) }),
    }),
    acceptance: kindOf(row),
    skills: column.json(row, 'required_skills') as readonly string[],
  };
}

/** The verdict on the accepted result that a ruling on the requester's objection confirms. */
function confirmed(row: Row, requester: Account): Verdict | undefined {
  if (row['accepted_attempt'] !== row['attempt_id'] || row['raised_by'] !== requester) {
    return undefined;
  }
  if (row['ruling'] === 'rejected') return 'accepted';
  return row['ruling'] === 'upheld' ? 'rejected' : undefined;
}

function earnedOf(row: Row): number | undefined {
  const reward = column.amountOrNull(row, 'reward');
  const judges = column.json(row, 'judges') as readonly string[];
  if (reward === null || judges.length === 0) return undefined;
  const pot = (reward * BigInt(column.whole(row, 'judges_bps'))) / 10_000n;
  return Number(pot / BigInt(judges.length));
}

function verdictOf(row: Row, name: string): Verdict | undefined {
  return VERDICTS.find((each) => each === row[name]);
}

function kindOf(row: Row): AcceptanceKind {
  return ACCEPTANCE_KINDS.find((each) => each === row['kind']) ?? 'none';
}
