import type { Account } from '../../domain/account.ts';
import { parseAccount } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { PanelSize, PoolSeat, Verdict } from '../../domain/validator/panel.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';

/** The table of panel rounds: each draw with the pool it was made from, so it can be made again. */
export interface Round {
  readonly id: string;
  readonly taskId: string;
  readonly attemptId: string;
  readonly round: number;
  readonly size: PanelSize;
  readonly state: 'open' | 'decided' | 'undecided' | 'cancelled';
  readonly verdict?: Verdict;
  /** The pulse whose random the seed is of. */
  readonly pulseSeq: number;
  /** In hex. */
  readonly seed: string;
  readonly pool: readonly PoolSeat[];
  readonly drawnAt: Instant;
  readonly endsAt: Instant;
  readonly closedAt?: Instant;
}

const INSERT = statement(`
  INSERT INTO panel_rounds (id, task_id, attempt_id, round, size, state, pulse_seq, seed, pool,
    drawn_at, ends_at)
  VALUES (?, ?, ?, ?, ?, 'open', ?, ?, ?, ?, ?)`);

export async function insertRound(tx: Writer, round: Round): Promise<void> {
  const pool = round.pool.map(({ account, weight, group }) => [account, `${weight}`, group]);
  await linkOf(tx).rows(INSERT, [
    round.id,
    round.taskId,
    round.attemptId,
    round.round,
    round.size,
    round.pulseSeq,
    round.seed,
    JSON.stringify(pool),
    round.drawnAt,
    round.endsAt,
  ]);
}

const CLOSE = statement(`
  UPDATE panel_rounds SET state = ?, verdict = ?, closed_at = ? WHERE id = ? AND state = 'open'`);

export async function closeRound(
  tx: Writer,
  id: string,
  end: { readonly state: 'decided' | 'undecided' | 'cancelled'; readonly verdict?: Verdict },
  at: Instant,
): Promise<void> {
  await linkOf(tx).rows(CLOSE, [end.state, end.verdict ?? null, at, id]);
}

const BY_ID = statement('SELECT * FROM panel_rounds WHERE id = ?');
const OPEN_OF = statement(`SELECT * FROM panel_rounds WHERE attempt_id = ? AND state = 'open'`);

export async function readRound(db: Reader, id: string): Promise<Round | undefined> {
  const row = column.one(await linkOf(db).rows(BY_ID, [id]));
  return row && round(row);
}

export async function openRoundOf(db: Reader, attemptId: string): Promise<Round | undefined> {
  const row = column.one(await linkOf(db).rows(OPEN_OF, [attemptId]));
  return row && round(row);
}

const NEWEST = statement('SELECT * FROM panel_rounds WHERE task_id = ? ORDER BY id DESC LIMIT ?');

/** Oldest first; the newest when there are more. */
export async function roundsOfTask(
  db: Reader,
  taskId: string,
  limit: number,
): Promise<readonly Round[]> {
  return (await linkOf(db).rows(NEWEST, [taskId, limit])).map(round).reverse();
}

const OVER = statement(`
  SELECT id, task_id FROM panel_rounds WHERE state = 'open' AND ends_at <= ?
   ORDER BY ends_at, id LIMIT ?`);

/**
 * Open rounds whose time is over; of those that end together, the one drawn first decides first.
 */
export async function roundsOver(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<readonly { readonly id: string; readonly taskId: string }[]> {
  const rows = await linkOf(db).rows(OVER, [now, limit]);
  return rows.map((row) => ({ id: column.text(row, 'id'), taskId: column.text(row, 'task_id') }));
}

const DRAWN_ON = statement(`
  SELECT CAST(count(*) AS INTEGER) AS n FROM panel_seats s JOIN panel_rounds r ON r.id = s.round_id
   WHERE s.account = ? AND r.state = 'open' AND s.state IN ('due', 'called', 'voted')`);

/** Open rounds that a seat sits on. */
export async function openRoundsWith(db: Reader, account: Account): Promise<number> {
  const row = column.one(await linkOf(db).rows(DRAWN_ON, [account]));
  return Number(row?.['n'] ?? 0);
}

function round(row: Row): Round {
  const state = column.text(row, 'state');
  const verdict = column.textOrNull(row, 'verdict');
  const closedAt = column.timeOrNull(row, 'closed_at');
  return {
    id: column.text(row, 'id'),
    taskId: column.text(row, 'task_id'),
    attemptId: column.text(row, 'attempt_id'),
    round: column.whole(row, 'round'),
    size: sizeOf(column.whole(row, 'size')),
    state: stateOf(state),
    ...(verdict !== null && { verdict: verdictOf(verdict) }),
    pulseSeq: column.whole(row, 'pulse_seq'),
    seed: column.text(row, 'seed'),
    pool: poolOf(column.json(row, 'pool') as readonly (readonly [string, string, string])[]),
    drawnAt: column.time(row, 'drawn_at'),
    endsAt: column.time(row, 'ends_at'),
    ...(closedAt !== null && { closedAt }),
  };
}

function poolOf(stored: readonly (readonly [string, string, string])[]): readonly PoolSeat[] {
  return stored.map(([name, weight, group]) => {
    const account = parseAccount(name);
    if (account === undefined) throw new Error('a pool names no account');
    return { account, weight: BigInt(weight), group };
  });
}

function sizeOf(size: number): PanelSize {
  if (size === 1 || size === 3 || size === 5) return size;
  throw new Error(`a panel of ${size}`);
}

function stateOf(state: string): Round['state'] {
  const known = ['open', 'decided', 'undecided', 'cancelled'] as const;
  const found = known.find((each) => each === state);
  if (found === undefined) throw new Error('a round in an unknown state');
  return found;
}

export function verdictOf(word: string): Verdict {
  if (word === 'accepted' || word === 'rejected') return word;
  throw new Error('a verdict of an unknown word');
}
