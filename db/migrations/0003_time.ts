import type { Knex } from 'knex';
import type { DialectTypes, Migration } from '../migration.ts';

/**
 * The signed clock (choices time.pulses), the hub's keys and the seals of the journal (choices
 * ledger.seals). The constraints reject a pulse that is not later than the one before, a second
 * pulse of a minute and a leaf in two places.
 */
export const time: Migration = {
  name: '0003_time',
  async up(knex, words) {
    await keys(knex, words);
    await pulses(knex, words);
    await stamps(knex, words);
    await seals(knex, words);
  },
};

/** The secrets are files of the data folder. The pulse that announces a key sets `not_before`. */
async function keys(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE hub_keys (
      key_id ${text} PRIMARY KEY,
      made_at ${int} NOT NULL,
      not_before ${int},
      not_after ${int},
      announced_in ${int},
      CHECK (not_after IS NULL OR not_after >= not_before)
    ) ${strict}`);
  await knex.raw(`
    CREATE UNIQUE INDEX hub_keys_signing ON hub_keys ((not_after IS NULL))
      WHERE not_before IS NOT NULL AND not_after IS NULL`);
  await knex.raw(`
    CREATE UNIQUE INDEX hub_keys_next ON hub_keys ((not_before IS NULL))
      WHERE not_before IS NULL`);
}

const MINUTE_MS = 60_000;

async function pulses(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE time_pulses (
      seq ${int} PRIMARY KEY CHECK (seq >= 0),
      minute ${int} NOT NULL UNIQUE CHECK (minute % ${MINUTE_MS} = 0),
      issued_at ${int} NOT NULL CHECK (issued_at >= minute + ${MINUTE_MS}),
      before_seq ${int},
      before_minute ${int},
      before_issued_at ${int},
      leaves ${int} NOT NULL CHECK (leaves >= 0),
      digest ${text} NOT NULL,
      body ${text} NOT NULL,
      signature ${text} NOT NULL,
      UNIQUE (seq, minute, issued_at),
      FOREIGN KEY (before_seq, before_minute, before_issued_at)
        REFERENCES time_pulses (seq, minute, issued_at),
      CHECK ((seq = 0) = (before_seq IS NULL)),
      CHECK (seq = 0 OR (before_minute IS NOT NULL AND before_issued_at IS NOT NULL)),
      CHECK (seq = 0 OR before_seq = seq - 1),
      CHECK (seq = 0 OR (before_minute < minute AND before_issued_at < issued_at))
    ) ${strict}`);
  // The one row holds the secret that the next pulse reveals, apart from the public pulses.
  await knex.raw(`
    CREATE TABLE time_chain (
      name ${text} PRIMARY KEY,
      began_at ${int} NOT NULL,
      next_random ${text}
    ) ${strict}`);
}

async function stamps(knex: Knex, { int, text, strict, strictKeyed }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE time_minutes (
      minute ${int} PRIMARY KEY CHECK (minute % ${MINUTE_MS} = 0),
      leaves ${int} NOT NULL CHECK (leaves >= 0),
      closed ${int} NOT NULL CHECK (closed IN (0, 1)),
      pulse_seq ${int} REFERENCES time_pulses (seq),
      first_index ${int},
      CHECK ((pulse_seq IS NULL) = (first_index IS NULL)),
      CHECK (pulse_seq IS NULL OR closed = 1)
    ) ${strict}`);
  await knex.raw('CREATE INDEX time_minutes_open ON time_minutes (minute) WHERE pulse_seq IS NULL');
  await knex.raw('CREATE INDEX time_minutes_pulse ON time_minutes (pulse_seq)');
  await knex.raw(`
    CREATE TABLE time_leaves (
      digest ${text} NOT NULL,
      minute ${int} NOT NULL REFERENCES time_minutes (minute),
      place ${int} NOT NULL CHECK (place >= 0),
      received_at ${int} NOT NULL,
      key_id ${text} NOT NULL REFERENCES hub_keys (key_id),
      PRIMARY KEY (digest, minute)
    ) ${strictKeyed}`);
  await knex.raw('CREATE UNIQUE INDEX time_leaves_place ON time_leaves (minute, place)');
  await knex.raw(`
    CREATE TABLE time_tiles (
      pulse_seq ${int} NOT NULL REFERENCES time_pulses (seq),
      level ${int} NOT NULL,
      tile ${int} NOT NULL,
      hashes ${text} NOT NULL,
      PRIMARY KEY (pulse_seq, level, tile)
    ) ${strictKeyed}`);
}

async function seals(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE seals (
      block_no ${int} PRIMARY KEY CHECK (block_no >= 0),
      from_seq ${int} NOT NULL,
      to_seq ${int} NOT NULL UNIQUE,
      before_no ${int},
      before_to_seq ${int},
      digest ${text} NOT NULL UNIQUE,
      body ${text} NOT NULL,
      signature ${text} NOT NULL,
      sealed_at ${int} NOT NULL,
      stamped_in ${int} NOT NULL,
      pulse_seq ${int} REFERENCES time_pulses (seq),
      proof ${text},
      UNIQUE (block_no, to_seq),
      FOREIGN KEY (before_no, before_to_seq) REFERENCES seals (block_no, to_seq),
      CHECK (from_seq <= to_seq),
      CHECK ((block_no = 0) = (before_no IS NULL)),
      CHECK (block_no = 0 OR (before_no = block_no - 1 AND before_to_seq < from_seq)),
      CHECK ((pulse_seq IS NULL) = (proof IS NULL))
    ) ${strict}`);
  await knex.raw('CREATE INDEX seals_at ON seals (sealed_at)');
  await knex.raw('CREATE INDEX seals_unproved ON seals (block_no) WHERE proof IS NULL');
}
