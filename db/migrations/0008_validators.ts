import type { Knex } from 'knex';
import type { DialectTypes, Migration } from '../migration.ts';

/**
 * Seats and panels (choices validators.seats). The constraints allow one seat for each account and
 * endpoint host, one open round for each attempt, and one vote for each seat and round.
 */
export const validators: Migration = {
  name: '0008_validators',
  async up(knex, words) {
    await seats(knex, words);
    await panels(knex, words);
  },
};

async function seats(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  const count = `${int} NOT NULL DEFAULT 0`;
  await knex.raw(`
    CREATE TABLE seats (
      account ${text} PRIMARY KEY,
      id ${text} NOT NULL UNIQUE,
      network ${text} NOT NULL REFERENCES networks (id),
      state ${text} NOT NULL CHECK (state IN ('seated', 'closed', 'retired')),
      paused ${text} CHECK (paused IN ('probe-pending', 'probe-failed', 'no-shows')),
      endpoint ${text} NOT NULL,
      endpoint_host ${text} NOT NULL,
      skill ${text},
      min_fee_bps ${int} NOT NULL CHECK (min_fee_bps BETWEEN 0 AND 100),
      stake ${int} NOT NULL CHECK (stake >= 0),
      hold_id ${text} UNIQUE REFERENCES commitments (id),
      seated_at ${int} NOT NULL,
      ended_at ${int},
      rounds ${count},
      agreed ${count},
      disagreed ${count},
      no_shows ${count},
      overturned ${count},
      missed_in_row ${count},
      last_twenty ${text} NOT NULL DEFAULT '',
      answers_ms ${text} NOT NULL DEFAULT '[]',
      probe_at ${int},
      probes_failed ${count},
      CHECK ((state = 'seated') = (ended_at IS NULL)),
      CHECK ((stake > 0) = (hold_id IS NOT NULL)),
      CHECK (state = 'seated' OR (stake = 0 AND paused IS NULL AND probe_at IS NULL))
    ) ${strict}`);
  await knex.raw(`CREATE UNIQUE INDEX seats_host ON seats (endpoint_host) WHERE state = 'seated'`);
  await knex.raw(`
    CREATE INDEX seats_drawn ON seats (network, stake DESC, account)
      WHERE state = 'seated' AND paused IS NULL`);
  await knex.raw('CREATE INDEX seats_probe ON seats (probe_at) WHERE probe_at IS NOT NULL');
}

async function panels(knex: Knex, { int, text, strict, strictKeyed }: DialectTypes): Promise<void> {
  // A result has a row here while it waits for a panel.
  await knex.raw(`
    CREATE TABLE panel_cases (
      attempt_id ${text} PRIMARY KEY REFERENCES attempts (id),
      task_id ${text} NOT NULL REFERENCES tasks (id),
      state ${text} NOT NULL CHECK (state IN ('queued', 'due', 'round')),
      rounds ${int} NOT NULL CHECK (rounds >= 0),
      delivered_at ${int} NOT NULL,
      ends_at ${int} NOT NULL,
      due_at ${int} NOT NULL
    ) ${strict}`);
  await knex.raw(`
    CREATE INDEX panel_cases_task
      ON panel_cases (task_id, delivered_at, attempt_id)`);
  await knex.raw(`CREATE INDEX panel_cases_due ON panel_cases (due_at) WHERE state = 'due'`);
  await knex.raw('CREATE INDEX panel_cases_end ON panel_cases (ends_at)');
  await knex.raw(`
    CREATE TABLE panel_rounds (
      id ${text} PRIMARY KEY,
      task_id ${text} NOT NULL REFERENCES tasks (id),
      attempt_id ${text} NOT NULL REFERENCES attempts (id),
      round ${int} NOT NULL CHECK (round > 0),
      size ${int} NOT NULL CHECK (size IN (1, 3, 5)),
      state ${text} NOT NULL CHECK (state IN ('open', 'decided', 'undecided', 'cancelled')),
      verdict ${text} CHECK (verdict IN ('accepted', 'rejected')),
      pulse_seq ${int} NOT NULL,
      seed ${text} NOT NULL,
      pool ${text} NOT NULL,
      drawn_at ${int} NOT NULL,
      ends_at ${int} NOT NULL,
      closed_at ${int},
      UNIQUE (attempt_id, round),
      CHECK ((state = 'open') = (closed_at IS NULL)),
      CHECK ((state = 'decided') = (verdict IS NOT NULL))
    ) ${strict}`);
  await knex.raw(`
    CREATE UNIQUE INDEX panel_rounds_open ON panel_rounds (attempt_id)
      WHERE state = 'open'`);
  await knex.raw(`CREATE INDEX panel_rounds_end ON panel_rounds (ends_at) WHERE state = 'open'`);
  await knex.raw('CREATE INDEX panel_rounds_task ON panel_rounds (task_id, id)');
  await knex.raw(`
    CREATE TABLE panel_seats (
      round_id ${text} NOT NULL REFERENCES panel_rounds (id),
      place ${int} NOT NULL CHECK (place >= 0),
      account ${text} NOT NULL REFERENCES seats (account),
      state ${text} NOT NULL CHECK (state IN ('due', 'called', 'voted', 'no-show', 'released')),
      tries ${int} NOT NULL CHECK (tries BETWEEN 0 AND 3),
      due_at ${int} NOT NULL,
      verdict ${text} CHECK (verdict IN ('accepted', 'rejected')),
      reason ${text},
      answered_at ${int},
      answer_ms ${int} CHECK (answer_ms >= 0),
      fault ${text},
      PRIMARY KEY (round_id, place),
      UNIQUE (round_id, account),
      CHECK ((state = 'voted') = (verdict IS NOT NULL)),
      CHECK ((verdict IS NULL) = (answered_at IS NULL))
    ) ${strictKeyed}`);
  await knex.raw(`
    CREATE INDEX panel_seats_due ON panel_seats (due_at)
      WHERE state IN ('due', 'called')`);
  await knex.raw('CREATE INDEX panel_seats_account ON panel_seats (account, answered_at)');
  await knex.raw(`
    CREATE INDEX panel_seats_open ON panel_seats (account, round_id)
      WHERE state IN ('due', 'called')`);
}
