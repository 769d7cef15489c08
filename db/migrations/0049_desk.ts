import { addEffect, inserting, type Effect } from '../effect.ts';
import type { Migration } from '../migration.ts';

/**
 * Calls of the model desk that a paid service makes for its caller, and what the hub bears of them
 * in a day (choices services.rewriting); and what declared units write of calls of the desk.
 */
export const desk: Migration = {
  name: '0049_desk',
  async up(knex, words) {
    const { int, text, strictKeyed } = words;
    await knex.raw(`ALTER TABLE model_calls ADD COLUMN service ${text}`);
    await knex.raw(
      `ALTER TABLE model_calls ADD COLUMN borne ${int} NOT NULL DEFAULT 0 CHECK (borne >= 0)`,
    );
    // What may still be borne counts as borne, so calls at once cannot pass a quota together.
    await knex.raw(`
      CREATE TABLE model_borne (
        day ${int} NOT NULL,
        payer ${text} NOT NULL,
        network ${text} NOT NULL REFERENCES networks (id),
        amount ${int} NOT NULL CHECK (amount >= 0),
        PRIMARY KEY (day, payer, network)
      ) ${strictKeyed}`);
    for (const effect of EFFECTS) await addEffect(knex, words, effect);
  },
};

type Columns = Parameters<typeof inserting>[1];
const FIXED: Columns = [
  ['id', 'text'],
  ['payer', 'text'],
  ['network', 'text'],
  ['door', 'text'],
  ['api_key_hint', 'text'],
  ['model', 'text'],
  ['max_tokens', 'int'],
  ['at', 'int'],
  ['held', 'int'],
  ['service', 'text'],
];
const TOLD: Columns = [
  ['resolve_at', 'int'],
  ['ended_at', 'int'],
  ['outcome', 'text'],
  ['reason', 'text'],
  ['finish_reason', 'text'],
  ['input_tokens', 'int'],
  ['output_tokens', 'int'],
  ['usage_source', 'text'],
  ['charged', 'int'],
  ['borne', 'int'],
  ['hold_id', 'text'],
  ['duration_ms', 'int'],
  ['first_token_ms', 'int'],
  ['served_by', 'text'],
  ['price_input', 'int'],
  ['price_output', 'int'],
  ['refused', 'text'],
  ['transfer_id', 'text'],
];
/** The first cell is the id, the others are what a call tells once it goes on. */
const told = TOLD.map(([name, type], at) => `${name} = $${at + 1}${type === 'int' ? ':int' : ''}`);

const EFFECTS: readonly Effect[] = [
  inserting('model_calls', [...FIXED, ...TOLD]),
  {
    name: 'model_calls_changed',
    statement: (rows) => `UPDATE model_calls SET ${told.join(', ')} FROM ${rows}
      WHERE model_calls.id = $0 AND model_calls.outcome = 'running'`,
  },
  inserting('model_spend', [
    ['day', 'int'],
    ['payer', 'text'],
    ['network', 'text'],
    ['amount', 'int'],
  ]),
  {
    name: 'model_spend_changed',
    statement: (rows) => `UPDATE model_spend SET amount = $3:int FROM ${rows}
      WHERE model_spend.day = $0:int AND model_spend.payer = $1 AND model_spend.network = $2
        AND model_spend.amount = $4:int`,
  },
  inserting('model_attempts', [
    ['call_id', 'text'],
    ['n', 'int'],
    ['model', 'text'],
    ['provider', 'text'],
    ['ok', 'int'],
    ['first_token_ms', 'int'],
    ['tokens', 'int'],
    ['tokens_ms', 'int'],
    ['at', 'int'],
  ]),
];
