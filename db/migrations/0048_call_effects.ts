import { addEffect, inserting, type Effect } from '../effect.ts';
import type { Migration } from '../migration.ts';

/** What declared units write of calls through the router and of hosted agents that served them. */
export const callEffects: Migration = {
  name: '0048_call_effects',
  async up(knex, words) {
    for (const effect of EFFECTS) await addEffect(knex, words, effect);
  },
};

type Columns = Parameters<typeof inserting>[1];
const FIXED: Columns = [
  ['id', 'text'],
  ['caller', 'text'],
  ['network', 'text'],
  ['operation', 'text'],
  ['max_price', 'int'],
  ['at', 'int'],
  ['resolve_at', 'int'],
];
const TOLD: Columns = [
  ['ended_at', 'int'],
  ['outcome', 'text'],
  ['why', 'text'],
  ['listing_id', 'text'],
  ['endpoint', 'text'],
  ['listed_price', 'int'],
  ['quoted_price', 'int'],
  ['cost', 'int'],
  ['duration_ms', 'int'],
  ['response_hash', 'text'],
  ['response_bytes', 'int'],
  ['refused', 'text'],
  ['considered', 'text'],
  ['hold_id', 'text'],
  ['held', 'int'],
  ['paid_to', 'text'],
  ['transfer_id', 'text'],
];
/** The first cell is the id, the others are what a call tells once it goes on. */
const told = TOLD.map(([name, type], at) => `${name} = $${at + 1}${type === 'int' ? ':int' : ''}`);
const CHANGED: Effect = {
  name: 'calls_changed',
  statement: (rows) => `UPDATE calls SET ${told.join(', ')} FROM ${rows}
    WHERE calls.id = $0 AND calls.outcome = 'running'`,
};

const ATTEMPT: Effect = {
  name: 'call_attempts',
  statement: (
    rows,
  ) => `INSERT INTO call_attempts (call_id, n, listing_id, operation, caller, linked,
      ended, latency_ms, at)
    SELECT $0, (SELECT count(*) FROM call_attempts AS a WHERE a.call_id = $0), $1, $2, $3, $4:int, $5,
      $6:int, $7:int FROM ${rows}`,
};

const BREAKER: Effect = {
  name: 'call_breakers_changed',
  statement: (rows) => `UPDATE call_breakers SET faults = $1:int, rests_until = $2:int FROM ${rows}
    WHERE call_breakers.endpoint = $0 AND call_breakers.faults = $3:int
      AND call_breakers.rests_until IS NOT DISTINCT FROM $4:int`,
};

const SERVED: Effect = {
  name: 'hosted_served_changed',
  statement: (rows) => `UPDATE hosted_agents SET served = $1:int, earned = $2:int FROM ${rows}
    WHERE hosted_agents.key_id = $0 AND hosted_agents.served = $3:int
      AND hosted_agents.earned = $4:int`,
};

const EFFECTS: readonly Effect[] = [
  inserting('calls', [...FIXED, ...TOLD]),
  CHANGED,
  ATTEMPT,
  BREAKER,
  SERVED,
  inserting('hosted_calls', [
    ['id', 'text'],
    ['key_id', 'text'],
    ['at', 'int'],
    ['caller', 'text'],
    ['tool', 'text'],
    ['price', 'int'],
    ['outcome', 'text'],
    ['why', 'text'],
    ['duration_ms', 'int'],
    ['receipt_id', 'text'],
  ]),
];
