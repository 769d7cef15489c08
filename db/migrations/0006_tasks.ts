import type { Knex } from 'knex';
import type { DialectTypes, Migration } from '../migration.ts';

/**
 * Tasks (choices tasks.states). Indexes hold what the rules promise when transactions race: one
 * live lease for each task, one undecided solution and one pitch for each account and task.
 */
export const tasks: Migration = {
  name: '0006_tasks',
  async up(knex, words) {
    await taskTables(knex, words);
    await attempts(knex, words);
    await pitches(knex, words);
    await history(knex, words);
    await chainSteps(knex, words);
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
      pitches ${int} NOT NULL DEFAULT 0,
      chosen_pitch ${text},
      chosen_worker ${text},
      chain_id ${text} REFERENCES chains (id),
      chain_step ${int},
      payout ${text},
      accepted_worker ${text},
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
    CREATE INDEX tasks_record ON tasks (requester, network, id)
      WHERE reward IS NOT NULL`);
  await knex.raw(`
    CREATE UNIQUE INDEX tasks_chain ON tasks (chain_id, chain_step)
      WHERE chain_id IS NOT NULL`);
  await knex.raw(`
    CREATE INDEX tasks_accepted_worker ON tasks (accepted_worker, state, accepted_attempt)
      WHERE accepted_worker IS NOT NULL`);
  await knex.raw('CREATE INDEX tasks_requester_state ON tasks (requester, state, id)');
  await knex.raw('CREATE INDEX tasks_reward ON tasks (COALESCE(reward, 0) DESC, id DESC)');
  await knex.raw(`
    CREATE INDEX tasks_open_reward ON tasks (COALESCE(reward, 0) DESC, id DESC)
      WHERE state = 'open'`);
  await knex.raw('CREATE INDEX tasks_deadline ON tasks (deadline, id)');
  await knex.raw(`CREATE INDEX tasks_open_deadline ON tasks (deadline, id) WHERE state = 'open'`);
  await knex.raw(`
    CREATE TABLE task_labels (
      kind ${text} NOT NULL CHECK (kind IN ('tag', 'skill')),
      label ${text} NOT NULL,
      task_id ${text} NOT NULL REFERENCES tasks (id),
      PRIMARY KEY (kind, label, task_id)
    ) ${strictKeyed}`);
  // The words of the title and the description, for the text filter of the list.
  await knex.raw(`
    CREATE TABLE task_words (
      word ${text} NOT NULL,
      task_id ${text} NOT NULL REFERENCES tasks (id),
      PRIMARY KEY (word, task_id)
    ) ${strictKeyed}`);
}

/** Claim tokens are not stored: `token_key` names the key to derive them (choices tasks.leases). */
async function attempts(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
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
      token_key ${text},
      token_hash ${text},
      delivered_at ${int},
      ended_at ${int},
      reason ${text},
      result ${text},
      result_digest ${text},
      CHECK ((state = 'claimed') = (token_key IS NOT NULL)),
      CHECK ((result IS NULL) = (result_digest IS NULL))
    ) ${strict}`);
  await knex.raw('CREATE INDEX attempts_task ON attempts (task_id, id)');
  await knex.raw('CREATE INDEX attempts_worker ON attempts (worker, task_id)');
  await knex.raw(`
    CREATE UNIQUE INDEX attempts_lease ON attempts (task_id)
      WHERE state = 'claimed'`);
  await knex.raw(`CREATE INDEX attempts_payee ON attempts (payee) WHERE state = 'accepted'`);
  await knex.raw(`
    CREATE UNIQUE INDEX attempts_waiting ON attempts (task_id, worker)
      WHERE state = 'waiting'`);
  await knex.raw('CREATE INDEX attempts_worker_state ON attempts (worker, state, id)');
  await knex.raw('CREATE INDEX attempts_worker_id ON attempts (worker, id)');
}

/** The task stores the chosen pitch, so choosing writes one row (tasks.transitions, T18). */
async function pitches(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE pitches (
      id ${text} PRIMARY KEY,
      task_id ${text} NOT NULL REFERENCES tasks (id),
      worker ${text} NOT NULL,
      plan ${text} NOT NULL,
      price ${int} CHECK (price > 0),
      created_at ${int} NOT NULL,
      lapsed ${int} NOT NULL CHECK (lapsed IN (0, 1)),
      UNIQUE (task_id, worker)
    ) ${strict}`);
  await knex.raw('CREATE INDEX pitches_task ON pitches (task_id, id)');
}

async function history(
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
  await knex.raw('CREATE INDEX task_events_actor ON task_events (actor, at)');
  await knex.raw(`
    CREATE INDEX task_events_ended ON task_events (at)
      WHERE state IN ('paid', 'refunded', 'withdrawn', 'expired')`);
  await knex.raw('CREATE INDEX task_events_at ON task_events (at)');
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
}

/** A step stores the deal that it was published with, and names its task once its turn has come. */
async function chainSteps(knex: Knex, { int, text, strictKeyed }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE chain_steps (
      chain_id ${text} NOT NULL REFERENCES chains (id),
      n ${int} NOT NULL CHECK (n BETWEEN 1 AND 50),
      title ${text} NOT NULL,
      description ${text} NOT NULL,
      reward ${int} NOT NULL CHECK (reward > 0),
      verification ${text} NOT NULL
        CHECK (verification IN ('automatic', 'validator', 'requester')),
      acceptance ${text},
      required_skills ${text} NOT NULL,
      auto_accept_seconds ${int},
      dispute_window_seconds ${int} NOT NULL,
      task_id ${text} UNIQUE REFERENCES tasks (id),
      PRIMARY KEY (chain_id, n)
    ) ${strictKeyed}`);
}
