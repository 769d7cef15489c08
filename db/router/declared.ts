import { strict as assert } from 'node:assert';
import { instant } from '../../domain/instant.ts';
import type { Breaker } from '../../domain/router/breaker.ts';
import type { Receipt } from '../../domain/router/receipt.ts';
import { rowsByText, textCell, wholeCell, type Table } from '../declared/table.ts';
import type { Attempt } from './attempts.ts';
import { CALL_COLUMNS, callCells, FIXED_COLUMNS, receiptOf } from './calls.ts';

/** No declared unit ends a call that was paid on the chain. */
const WITHOUT_UPSTREAM = { upstream_state: null };

/** Calls that run; one that is over is not found. Its one writer is whoever locks it first. */
export const CALLS: Table<string, Receipt> = {
  name: 'calls',
  read: rowsByText('calls', 'id', CALL_COLUMNS, { where: "t.outcome = 'running'" }),
  id: (id) => id,
  keyCells: (id) => [id],
  found(cells) {
    const row = Object.fromEntries(CALL_COLUMNS.map((name, at) => [name, cells[at]]));
    const receipt = receiptOf({ ...row, ...WITHOUT_UPSTREAM });
    return [receipt.id, receipt];
  },
  inserted: callCells,
  updated: (receipt) => [receipt.id, ...callCells(receipt).slice(FIXED_COLUMNS)],
};

/** One call makes at most one attempt in a unit. */
export const CALL_ATTEMPTS: Table<string, Attempt> = {
  name: 'call_attempts',
  id: (callId) => callId,
  keyCells: (callId) => [callId],
  inserted: ({ callId, listingId, operation, caller, linked, ended, latencyMs, at }) => [
    ...[callId, listingId, operation, caller],
    ...[linked ? 1 : 0, ended, latencyMs, at],
  ],
};

type KnownBreaker = Breaker & { readonly endpoint: string };
/** Faults in a row of each endpoint that had one; a free unit writes the first, and drops the row. */
export const BREAKERS: Table<string, KnownBreaker> = {
  name: 'call_breakers',
  read: rowsByText('call_breakers', 'endpoint', ['endpoint', 'faults', 'rests_until']),
  id: (endpoint) => endpoint,
  keyCells: (endpoint) => [endpoint],
  found(cells) {
    const [endpoint, faults] = [textCell(cells, 0), wholeCell(cells, 1)];
    const rest = cells[2] === null ? {} : { restsUntil: instant(wholeCell(cells, 2)) };
    return [endpoint, { endpoint, faults, ...rest }];
  },
  inserted: () => assert.fail('the first fault is written by a free unit'),
  updated: ({ endpoint, faults, restsUntil }, before) => [
    ...[endpoint, faults, restsUntil ?? null],
    ...[before.faults, before.restsUntil ?? null],
  ],
};
