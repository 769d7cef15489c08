import { strict as assert } from 'node:assert';
import type { KeyId } from '../../domain/account.ts';
import { rowsByText, textCell, wholeCell, type Table } from '../declared/table.ts';
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
  read: rowsByText('hosted_agents', 'key_id', ['key_id', 'served', 'earned']),
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
