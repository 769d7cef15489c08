import type { Knex } from 'knex';
import type { Migration, DialectTypes } from '../migration.ts';

/**
 * Work (choices tasks.states). What the rules promise and a race could break is an index here: one
 * live lease per task, one undecided solution per account and task, one starter payment per
 * account.
 */
export const tasks: Migration = {
  name: '0003_tasks',
  async up(knex, words) {
    await taskTables(knex, words);
    await attemptTables(knex, words);
    await talkTables(knex, words);
  },
};

async function taskTables(
  knex: Knex,
  { int, text, strict, strictKeyed }: DialectTypes,
): Promise<void> {
  await knex.raw(`
    CREATE TABLE tasks (
      id ${text} PRIMARY KEY,
      requester ${text} NOT NULL,
      mode ${text} NOT NULL CHECK (mode IN ('open', 'exclusive')),
      state ${text} NOT NULL CHECK (state IN ('open', 'held', 'delivered', 'accepted', 'disputed',
        'paid', 'refunded', 'withdrawn', 'expired')),
      verification ${text} NOT NULL
        CHECK (verification IN ('automatic', 'validator', 'requester')),
      title ${text} NOT NULL,
      description ${text} NOT NULL,
      required_skills ${text} NOT NULL,
      tags ${text} NOT NULL,
      input ${text},
      reward ${int} CHECK (reward > 0),
      network ${text} REFERENCES networks (id),
      hub_bps ${int} NOT NULL,
      judges_bps ${int} NOT NULL,
      acceptance ${text},
      auto_accept_seconds ${int},
      dispute_window_seconds ${int} NOT NULL,
      target ${text},
      conduct ${text},
      max_attempts ${int} NOT NULL,
      deadline ${int} NOT NULL,
      terms_digest ${text} NOT NULL,
      terms_revision ${int} NOT NULL,
      attempts ${int} NOT NULL,
      comments ${int} NOT NULL,
      created_at ${int} NOT NULL,
      judges ${text} NOT NULL,
      reserved_for ${text},
      reserved_until ${int},
      accepted_attempt ${text},
      accepted_at ${int},
      payout_at ${int},
      hold_id ${text} REFERENCES commitments (id),
      events ${int} NOT NULL,
      queued ${int} NOT NULL CHECK (queued IN (0, 1)),
      due_kind ${text},
      due_at ${int},
      CHECK ((reward IS NULL) = (network IS NULL)),
      CHECK ((reserved_for IS NULL) = (reserved_until IS NULL)),
      CHECK ((due_kind IS NULL) = (due_at IS NULL))
    ) ${strict}`);
  await knex.raw(`
    CREATE INDEX tasks_queue ON tasks (network, reward DESC, id)
      WHERE state = 'open' AND queued = 1`);
  await knex.raw('CREATE INDEX tasks_due ON tasks (due_at) WHERE due_at IS NOT NULL');
  await knex.raw('CREATE INDEX tasks_requester ON tasks (requester, id)');
  await knex.raw('CREATE INDEX tasks_state ON tasks (state, id)');
  await knex.raw(`
    CREATE TABLE task_labels (
      kind ${text} NOT NULL CHECK (kind IN ('tag', 'skill')),
      label ${text} NOT NULL,
      task_id ${text} NOT NULL REFERENCES tasks (id),
      PRIMARY KEY (kind, label, task_id)
    ) ${strictKeyed}`);
}

async function attemptTables(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE attempts (
      id ${text} PRIMARY KEY,
      task_id ${text} NOT NULL REFERENCES tasks (id),
      worker ${text} NOT NULL,
      payee ${text} NOT NULL,
      agent_id ${text},
      state ${text} NOT NULL CHECK (state IN ('announced', 'claimed', 'waiting', 'accepted',
        'refused', 'rejected', 'failed', 'lapsed', 'superseded')),
      terms_digest ${text} NOT NULL,
      started_at ${int} NOT NULL,
      lease_ends_at ${int},
      claim_token ${text},
      token_hash ${text},
      delivered_at ${int},
      ended_at ${int},
      reason ${text},
      result ${text},
      result_digest ${text},
      CHECK ((state = 'claimed') = (claim_token IS NOT NULL)),
      CHECK ((result IS NULL) = (result_digest IS NULL))
    ) ${strict}`);
  await knex.raw('CREATE INDEX attempts_task ON attempts (task_id, id)');
  await knex.raw('CREATE INDEX attempts_worker ON attempts (worker, task_id)');
  await knex.raw(
    `CREATE UNIQUE INDEX attempts_lease ON attempts (task_id) WHERE state = 'claimed'`,
  );
  await knex.raw(`CREATE INDEX attempts_payee ON attempts (payee) WHERE state = 'accepted'`);
  await knex.raw(`CREATE INDEX attempts_live ON attempts (worker) WHERE state = 'claimed'`);
  await knex.raw(
    `CREATE UNIQUE INDEX attempts_waiting ON attempts (task_id, worker) WHERE state = 'waiting'`,
  );
}

async function talkTables(
  knex: Knex,
  { int, text, strict, strictKeyed }: DialectTypes,
): Promise<void> {
  await knex.raw(`
    CREATE TABLE task_events (
      task_id ${text} NOT NULL REFERENCES tasks (id),
      seq ${int} NOT NULL CHECK (seq > 0),
      at ${int} NOT NULL,
      event ${text} NOT NULL,
      state ${text} NOT NULL,
      actor ${text},
      attempt_id ${text},
      transfer_id ${text} REFERENCES transfers (id),
      note ${text},
      PRIMARY KEY (task_id, seq)
    ) ${strictKeyed}`);
  await knex.raw(`
    CREATE TABLE comments (
      id ${text} PRIMARY KEY,
      task_id ${text} NOT NULL REFERENCES tasks (id),
      author ${text} NOT NULL,
      body ${text},
      parent_id ${text} REFERENCES comments (id),
      depth ${int} NOT NULL CHECK (depth BETWEEN 1 AND 8),
      created_at ${int} NOT NULL,
      withdrawn_at ${int},
      CHECK ((body IS NULL) = (withdrawn_at IS NOT NULL))
    ) ${strict}`);
  await knex.raw('CREATE INDEX comments_task ON comments (task_id, id)');
  await knex.raw(`
    CREATE TABLE starter_grants (
      account ${text} PRIMARY KEY,
      task_id ${text} NOT NULL REFERENCES tasks (id),
      at ${int} NOT NULL
    ) ${strict}`);
}
