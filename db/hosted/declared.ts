import { strict as assert } from 'node:assert';
import type { KeyId } from '../../domain/account.ts';
import { textCell, wholeCell, type Table } from '../declared/table.ts';
import { hostedCallCells, type HostedCall } from './calls.ts';

/** Calls of hosted agents that were served, for declared units. */
export const HOSTED_CALLS: Table<string, HostedCall> = {
  name: 'hosted_calls',
  id: (id) => id,
  keyCells: (id) => [id],
  inserted: hostedCallCells,
};

interface Served {
  readonly keyId: KeyId;
  readonly served: number;
  /** Atomic units. */
  readonly earned: bigint;
}
/** What an agent has served and earned; none of one that is not listed any more. */
export const HOSTED_SERVED: Table<KeyId, Served> = {
  name: 'hosted_served',
  read: {
    sqlite: `SELECT json_group_array(json_array(h.key_id, h.served, h.earned)) FROM json_each(?) k
      CROSS JOIN hosted_agents h ON h.key_id = k.value ->> 0`,
    postgres: `SELECT json_agg(json_build_array(h.key_id, h.served, h.earned))::text FROM (
      SELECT key_id, served, earned FROM hosted_agents WHERE key_id IN (
        SELECT k.value ->> 0 FROM jsonb_array_elements(?::jsonb) AS k (value))
      ORDER BY key_id FOR UPDATE) AS h`,
  },
  id: (keyId) => keyId,
  keyCells: (keyId) => [keyId],
  found(cells) {
    const keyId = textCell(cells, 0) as KeyId;
    return [keyId, { keyId, served: wholeCell(cells, 1), earned: BigInt(wholeCell(cells, 2)) }];
  },
  inserted: () => assert.fail('an agent is listed by a free unit'),
  updated: ({ keyId, served, earned }, before) => [
    ...[keyId, served, Number(earned)],
    ...[before.served, Number(before.earned)],
  ],
};
