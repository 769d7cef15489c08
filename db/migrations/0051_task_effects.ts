import type { Knex } from 'knex';
import { addEffect, inserting, type Effect } from '../effect.ts';
import type { DialectTypes, Migration } from '../migration.ts';

/**
 * What declared units write of tasks, of the standing and the credit lines that they change, and of
 * the events that accounts are told of.
 */
export const taskEffects: Migration = {
  name: '0051_task_effects',
  async up(knex, words) {
    for (const effect of EFFECTS) await addEffect(knex, words, effect);
    await trimEvents(knex, words);
  },
};

type Columns = Parameters<typeof inserting>[1];
const FIXED: Columns = [
  ['id', 'text'],
  ['requester', 'text'],
  ['mode', 'text'],
  ['verification', 'text'],
  ['title', 'text'],
  ['description', 'text'],
  ['required_skills', 'text'],
  ['tags', 'text'],
  ['input', 'text'],
  ['network', 'text'],
  ['hub_bps', 'int'],
  ['judges_bps', 'int'],
  ['acceptance', 'text'],
  ['auto_accept_seconds', 'int'],
  ['dispute_window_seconds', 'int'],
  ['target', 'text'],
  ['conduct', 'text'],
  ['max_attempts', 'int'],
  ['deadline', 'int'],
  ['created_at', 'int'],
  ['comments', 'int'],
  ['queued', 'int'],
  ['payout', 'text'],
  ['chain_id', 'text'],
  ['chain_step', 'int'],
];
const MOVING: Columns = [
  ['state', 'text'],
  ['reward', 'int'],
  ['terms_digest', 'text'],
  ['terms_revision', 'int'],
  ['attempts', 'int'],
  ['judges', 'text'],
  ['pitches', 'int'],
  ['chosen_pitch', 'text'],
  ['chosen_worker', 'text'],
  ['reserved_for', 'text'],
  ['reserved_until', 'int'],
  ['accepted_attempt', 'text'],
  ['accepted_worker', 'text'],
  ['accepted_at', 'int'],
  ['payout_at', 'int'],
  ['hold_id', 'text'],
  ['events', 'int'],
  ['due_kind', 'text'],
  ['due_at', 'int'],
];
/** The id, what a decision may change, and the number of events that it was decided on. */
const moving = MOVING.map(([name, type], at) => `${name} = $${at + 1}${cast(type)}`).join(', ');
const CHANGED: Effect = {
  name: 'tasks_changed',
  statement: (rows) => `UPDATE tasks SET ${moving} FROM ${rows}
    WHERE tasks.id = $0 AND tasks.events = $${MOVING.length + 1}:int`,
};

function cast(type: Columns[number][1]): string {
  return type === 'int' ? ':int' : '';
}

/**
 * Inserts or updates; what was read without its token and result keeps them. The last cell, unless
 * it is null, is how many claims the worker may hold then.
 */
const ATTEMPT: Effect = {
  name: 'attempts',
  statement: (rows) => `
    INSERT INTO attempts (id, task_id, worker, payee, agent_id, state, terms_digest, started_at,
      lease_ends_at, token_key, token_hash, delivered_at, ended_at, reason, result, result_digest)
    SELECT $0, $1, $2, $3, $4, $5, $6, $7:int, $8:int, $9, $10, $11:int, $12:int, $13, $14, $15
      FROM ${rows} WHERE true
    ON CONFLICT (id) DO UPDATE SET payee = excluded.payee, agent_id = excluded.agent_id,
      state = excluded.state, terms_digest = excluded.terms_digest,
      started_at = excluded.started_at, lease_ends_at = excluded.lease_ends_at,
      token_key = excluded.token_key,
      token_hash = COALESCE(excluded.token_hash, attempts.token_hash),
      delivered_at = excluded.delivered_at, ended_at = excluded.ended_at,
      reason = excluded.reason, result = COALESCE(excluded.result, attempts.result),
      result_digest = COALESCE(excluded.result_digest, attempts.result_digest)`,
  hits: (rows) => `(SELECT count(*) FROM ${rows} WHERE $16:int IS NULL OR $16:int >= (
    SELECT count(*) FROM attempts WHERE attempts.worker = $2 AND attempts.state = 'claimed'))`,
};

const TOTAL_CHANGED: Effect = {
  name: 'karma_totals_changed',
  statement: (rows) => `UPDATE karma_totals SET total = $1:int, from_test = $2:int FROM ${rows}
    WHERE karma_totals.subject = $0 AND karma_totals.total = $3:int
      AND karma_totals.from_test = $4:int`,
};

/** Standing as the listings of accounts show it; most have none. */
const SHOWN: Effect = {
  name: 'karma_shown',
  statement: (rows) => `
    UPDATE listings SET karma = shown.total
      FROM (SELECT k.key_id, t.total FROM ${rows} JOIN keys AS k ON k.account = $0
        JOIN karma_totals AS t ON t.subject = $0) AS shown
     WHERE listings.passport_key_id = shown.key_id AND listings.karma <> shown.total`,
  hits: (_, dialect) => (dialect === 'sqlite' ? 'changes()' : 'hit'),
};

const LINE_CHANGED: Effect = {
  name: 'credit_lines_changed',
  statement: (rows) => `UPDATE credit_lines SET earned = $2:int FROM ${rows}
    WHERE credit_lines.account = $0 AND credit_lines.network = $1
      AND credit_lines.earned = $3:int`,
};

/** How many events an account gets; in the order of names, which is that of their locks. */
const HEADS: Effect = {
  name: 'account_event_heads',
  statement: (rows) => `
    INSERT INTO account_event_heads (account, seq) SELECT $0, $1:int FROM ${rows} WHERE true
    ON CONFLICT (account) DO UPDATE SET seq = account_event_heads.seq + excluded.seq`,
};
/** The second cell says how many of the account come behind. */
const EVENT: Effect = {
  name: 'account_events',
  statement: (rows) => `
    INSERT INTO account_events (account, seq, at, kind, subject_id, attempt_id, ref, state, actor)
    SELECT $0, (SELECT seq FROM account_event_heads WHERE account = $0) - $1:int, $2:int, $3, $4, $5,
      $6, $7, $8 FROM ${rows}`,
};

const EFFECTS: readonly Effect[] = [
  inserting('tasks', [...FIXED, ...MOVING]),
  CHANGED,
  inserting('task_labels', [
    ['kind', 'text'],
    ['label', 'text'],
    ['task_id', 'text'],
  ]),
  inserting('task_words', [
    ['word', 'text'],
    ['task_id', 'text'],
  ]),
  ATTEMPT,
  inserting('task_events', [
    ['task_id', 'text'],
    ['seq', 'int'],
    ['at', 'int'],
    ['event', 'text'],
    ['state', 'text'],
    ['actor', 'text'],
    ['attempt_id', 'text'],
    ['transfer_id', 'text'],
    ['note', 'text'],
  ]),
  inserting('karma_entries', [
    ['id', 'text'],
    ['subject', 'text'],
    ['at', 'int'],
    ['delta', 'int'],
    ['full_delta', 'int'],
    ['lowered_by', 'text'],
    ['reason', 'text'],
    ['ref_kind', 'text'],
    ['ref_id', 'text'],
    ['occasion', 'text'],
    ['counterparty', 'text'],
    ['money', 'text'],
  ]),
  inserting('karma_totals', [
    ['subject', 'text'],
    ['total', 'int'],
    ['from_test', 'int'],
  ]),
  TOTAL_CHANGED,
  SHOWN,
  inserting('credit_lines', [
    ['account', 'text'],
    ['network', 'text'],
    ['earned', 'int'],
  ]),
  LINE_CHANGED,
  HEADS,
  EVENT,
];

/** Of an account 10,000 events are kept; the oldest go with every hundredth that comes. */
async function trimEvents(knex: Knex, { dialect }: DialectTypes): Promise<void> {
  const isPassed = 'NEW.seq / 100 <> OLD.seq / 100';
  const trim = 'DELETE FROM account_events WHERE account = NEW.account AND seq <= NEW.seq - 10000';
  if (dialect === 'sqlite') {
    await knex.raw(`CREATE TRIGGER account_events_kept AFTER UPDATE ON account_event_heads
      WHEN ${isPassed} BEGIN ${trim}; END`);
    return;
  }
  await knex.raw(`CREATE FUNCTION account_events_kept() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN ${trim}; RETURN NULL; END $$`);
  await knex.raw(`CREATE TRIGGER account_events_kept AFTER UPDATE ON account_event_heads
    FOR EACH ROW WHEN (${isPassed}) EXECUTE FUNCTION account_events_kept()`);
}
