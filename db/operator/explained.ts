import { one, text } from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Statement } from '../connection.ts';

/** Facts about one thing for `hubctl explain`: who did what, when and why, and no text of a task. */
export interface Facts {
  /** `attempt`, `hold` and so on: what the rows are of. */
  readonly kind: string;
  readonly rows: readonly Row[];
}

/** A task that ran for months has no more than its newest rows. */
const ROWS_MAX = 200;

const TASK = statement(`
  SELECT id, requester, state, verification, reward, network FROM tasks WHERE id = ?`);
const OF_TASK: readonly (readonly [kind: string, of: Statement])[] = [
  [
    'event',
    statement(`SELECT at, event, state, actor, attempt_id AS attempt, transfer_id AS transfer
      FROM task_events WHERE task_id = ? ORDER BY seq LIMIT ${ROWS_MAX}`),
  ],
  [
    'attempt',
    statement(`SELECT started_at AS at, id, worker, payee, state, delivered_at AS delivered,
        ended_at AS ended, lease_ends_at AS lease_ends, reason
      FROM attempts WHERE task_id = ? ORDER BY started_at, id LIMIT ${ROWS_MAX}`),
  ],
  [
    'verdict',
    statement(`SELECT s.answered_at AS at, r.round, s.account AS judge, s.state, s.verdict, s.fault
      FROM panel_rounds r JOIN panel_seats s ON s.round_id = r.id
      WHERE r.task_id = ? ORDER BY r.round, s.place LIMIT ${ROWS_MAX}`),
  ],
  [
    'dispute',
    statement(`SELECT at, raised_by AS by, state, arbiter, verdict,
        worker_share_bps AS worker_share_bps, ended_at AS ended
      FROM disputes WHERE task_id = ?`),
  ],
  [
    'hold',
    statement(`SELECT c.opened_at AS at, a.name AS account, c.kind, c.amount, c.remaining, c.state
      FROM commitments c JOIN accounts a ON a.id = c.account_id
      WHERE c.ref_kind = 'task' AND c.ref_id = ? ORDER BY c.opened_at, c.id LIMIT ${ROWS_MAX}`),
  ],
  [
    'payment',
    statement(`SELECT n.at, t.id AS transfer, a.name AS account, n.kind, n.reason, n.delta
      FROM task_events v JOIN transfers t ON t.id = v.transfer_id
        JOIN entries n ON n.transfer_seq = t.seq JOIN accounts a ON a.id = n.account_id
      WHERE v.task_id = ? ORDER BY t.seq, a.name LIMIT ${ROWS_MAX}`),
  ],
];

const TRANSFER = statement(`
  SELECT at, id, network, event, ref_kind || ' ' || ref_id AS of, actor,
      (SELECT min(block_no) FROM seals s WHERE s.to_seq >= t.seq) AS block
    FROM transfers t WHERE id = ?`);
const OF_TRANSFER: readonly (readonly [kind: string, of: Statement])[] = [
  [
    'entry',
    statement(`SELECT n.at, a.name AS account, n.kind, n.reason, n.delta,
        n.posted_after - n.held_after AS spendable
      FROM transfers t JOIN entries n ON n.transfer_seq = t.seq
        JOIN accounts a ON a.id = n.account_id
      WHERE t.id = ? ORDER BY a.name, n.account_seq LIMIT ${ROWS_MAX}`),
  ],
];

const DECISIONS = statement(`
  SELECT at, id, kind, subject, reason, lifted_at AS lifted FROM moderation_decisions
    WHERE account = ? ORDER BY at DESC LIMIT ${ROWS_MAX}`);

/** A task or a transfer, and all that belongs to it; undefined when no such thing has this id. */
export async function explained(db: Reader, id: string): Promise<readonly Facts[] | undefined> {
  for (const [kind, of, more] of [
    ['task', TASK, OF_TASK],
    ['transfer', TRANSFER, OF_TRANSFER],
  ] as const) {
    const found = await linkOf(db).rows(of, [id]);
    if (found.length === 0) continue;
    const facts: Facts[] = [{ kind, rows: found }];
    for (const [name, each] of more) {
      facts.push({ kind: name, rows: await linkOf(db).rows(each, [id]) });
    }
    return facts;
  }
  return undefined;
}

/** Decisions of the operator about an account. */
export async function decisionsAbout(db: Reader, account: string): Promise<Facts> {
  return { kind: 'decision', rows: await linkOf(db).rows(DECISIONS, [account]) };
}

/** Keys that did nothing that was stored are in no table, so their digest cannot be turned back. */
const NAMES = statement(`
  SELECT name FROM (SELECT name FROM accounts UNION SELECT account AS name FROM key_homes) known
    WHERE name > ? ORDER BY name LIMIT ?`);
const PAGE = 10_000;

/** The first account that `is` holds for, read in pages. */
export async function accountWhere(
  db: Reader,
  is: (account: string) => boolean,
): Promise<string | undefined> {
  for (let after = ''; ;) {
    const names = (await linkOf(db).rows(NAMES, [after, PAGE])).map((row) => text(row, 'name'));
    const found = names.find(is);
    const last = one(names.slice(-1));
    if (found !== undefined || last === undefined) return found;
    after = last;
  }
}
