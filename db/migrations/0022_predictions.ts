import type { Migration } from '../migration.ts';

/**
 * Prediction markets (choices predictions.terms). A position has one hold for each side, so a
 * settlement touches at most two holds of an account. Each bet stores the pots after it, which are
 * the odds over time.
 */
export const predictions: Migration = {
  name: '0022_predictions',
  async up(knex, { dialect, int, text, strict, strictKeyed }) {
    // PostgreSQL has room on each page for what a settlement writes, so no index has to change.
    const positions = dialect === 'sqlite' ? strictKeyed : 'WITH (fillfactor = 50)';
    await knex.raw(`
      CREATE TABLE markets (
        id ${text} PRIMARY KEY,
        question ${text} NOT NULL,
        source ${text} NOT NULL,
        network ${text} NOT NULL REFERENCES networks (id),
        creator ${text} NOT NULL,
        state ${text} NOT NULL CHECK (state IN ('open', 'closed', 'resolved', 'voided')),
        metric ${text},
        op ${text} CHECK (op IN ('gt', 'gte', 'lt', 'lte', 'eq')),
        value ${text},
        yes_pot ${int} NOT NULL CHECK (yes_pot >= 0),
        no_pot ${int} NOT NULL CHECK (no_pot >= 0),
        yes_bettors ${int} NOT NULL,
        no_bettors ${int} NOT NULL,
        bettors ${int} NOT NULL CHECK (bettors BETWEEN 0 AND 2000),
        version ${int} NOT NULL CHECK (version > 0),
        closes_at ${int} NOT NULL,
        resolve_by ${int} NOT NULL,
        created_at ${int} NOT NULL,
        due_at ${int},
        outcome ${text} CHECK (outcome IN ('yes', 'no', 'void')),
        void_reason ${text},
        resolved_by ${text},
        evidence ${text},
        sample_value ${text},
        sample_at ${int},
        sample_pulse ${int},
        judge_share ${int} CHECK (judge_share >= 0),
        won ${int} CHECK (won >= 0),
        returned ${int} CHECK (returned >= 0),
        transfer_id ${text} UNIQUE REFERENCES transfers (id),
        ended_at ${int},
        CHECK ((metric IS NULL) = (op IS NULL) AND (metric IS NULL) = (value IS NULL)),
        CHECK ((state IN ('resolved', 'voided')) = (ended_at IS NOT NULL)),
        CHECK ((ended_at IS NULL) = (outcome IS NULL)),
        CHECK ((ended_at IS NULL) = (due_at IS NOT NULL)),
        CHECK (ended_at IS NULL OR returned + won + judge_share = yes_pot + no_pot)
      ) ${strict}`);
    await knex.raw('CREATE INDEX markets_state ON markets (state, id)');
    await knex.raw('CREATE INDEX markets_due ON markets (due_at) WHERE due_at IS NOT NULL');
    await knex.raw(`
      CREATE INDEX markets_waiting ON markets (closes_at, id)
        WHERE state = 'closed' AND metric IS NULL`);
    await knex.raw(`
      CREATE TABLE market_positions (
        market_id ${text} NOT NULL REFERENCES markets (id),
        account ${text} NOT NULL,
        place ${int} NOT NULL CHECK (place > 0),
        yes ${int} NOT NULL CHECK (yes >= 0),
        no ${int} NOT NULL CHECK (no >= 0),
        yes_hold ${text} UNIQUE REFERENCES commitments (id),
        no_hold ${text} UNIQUE REFERENCES commitments (id),
        first_bet_at ${int} NOT NULL,
        returned ${int} CHECK (returned >= 0),
        PRIMARY KEY (market_id, account),
        UNIQUE (market_id, place),
        CHECK (yes + no > 0),
        CHECK ((yes = 0) = (yes_hold IS NULL) AND (no = 0) = (no_hold IS NULL))
      ) ${positions}`);
    await knex.raw('CREATE INDEX market_positions_of ON market_positions (account, market_id)');
    await knex.raw(`
      CREATE TABLE market_bets (
        market_id ${text} NOT NULL REFERENCES markets (id),
        version ${int} NOT NULL,
        id ${text} NOT NULL UNIQUE,
        account ${text} NOT NULL,
        side ${text} NOT NULL CHECK (side IN ('yes', 'no')),
        amount ${int} NOT NULL CHECK (amount > 0),
        yes_pot ${int} NOT NULL,
        no_pot ${int} NOT NULL,
        transfer_id ${text} NOT NULL UNIQUE REFERENCES transfers (id),
        at ${int} NOT NULL,
        PRIMARY KEY (market_id, version)
      ) ${strictKeyed}`);
  },
};
