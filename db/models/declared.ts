import { strict as assert } from 'node:assert';
import type { Account } from '../../domain/account.ts';
import { instant } from '../../domain/instant.ts';
import type { ModelReceipt } from '../../domain/models/receipt.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import { rowsByText, textCell, wholeCell, type Table } from '../declared/table.ts';
import type { ModelAttempt } from './attempts.ts';
import { MODEL_CALL_COLUMNS, MODEL_CALL_FIXED, modelCallCells, receiptOf } from './calls.ts';
import type { SpendDay } from './spend.ts';

/** Model calls that run; one that is over is not found. Its one writer is whoever locks it first. */
export const MODEL_CALLS: Table<string, ModelReceipt> = {
  name: 'model_calls',
  read: rowsByText('model_calls', 'id', MODEL_CALL_COLUMNS, { where: "t.outcome = 'running'" }),
  id: (id) => id,
  keyCells: (id) => [id],
  found(cells) {
    const row = Object.fromEntries(MODEL_CALL_COLUMNS.map((name, at) => [name, cells[at]]));
    const receipt = receiptOf(row);
    return [receipt.id, receipt];
  },
  inserted: modelCallCells,
  updated: (receipt) => [receipt.id, ...modelCallCells(receipt).slice(MODEL_CALL_FIXED)],
};

/** What a day counts as spent, of an account or of everybody. */
export type SpendRow = SpendDay & { readonly amount: Atomic };
const spendId = ({ day, payer, network }: SpendDay): string => `${day} ${payer} ${network}`;
const SPEND_CELLS = 's.day, s.payer, s.network, s.amount';
export const MODEL_SPEND: Table<SpendDay, SpendRow> = {
  name: 'model_spend',
  read: {
    sqlite: `SELECT json_group_array(json_array(${SPEND_CELLS})) FROM json_each(?) k
      CROSS JOIN model_spend s ON s.day = k.value ->> 0 AND s.payer = k.value ->> 1
        AND s.network = k.value ->> 2`,
    postgres: `SELECT json_agg(json_build_array(${SPEND_CELLS}))::text FROM (
      SELECT * FROM model_spend WHERE (day, payer, network) IN (
        SELECT (k.value ->> 0)::bigint, k.value ->> 1, k.value ->> 2
        FROM jsonb_array_elements(?::jsonb) AS k (value))
      ORDER BY day, payer, network FOR UPDATE) AS s`,
  },
  id: spendId,
  keyCells: ({ day, payer, network }) => [day, payer, network],
  found(cells) {
    const row = {
      day: instant(wholeCell(cells, 0)),
      payer: textCell(cells, 1) as Account,
      network: textCell(cells, 2) as NetworkId,
      amount: atomic(BigInt(wholeCell(cells, 3))),
    };
    return [spendId(row), row];
  },
  inserted: ({ day, payer, network, amount }) => [day, payer, network, Number(amount)],
  updated: ({ day, payer, network, amount }, before) => [
    ...[day, payer, network],
    ...[Number(amount), Number(before.amount)],
  ],
};

/** How providers did in a call, one row for each that was asked. */
export const MODEL_ATTEMPTS: Table<Pick<ModelAttempt, 'callId' | 'n'>, ModelAttempt> = {
  name: 'model_attempts',
  id: ({ callId, n }) => `${callId} ${n}`,
  keyCells: ({ callId, n }) => [callId, n],
  inserted: ({ callId, n, model, provider, ok, firstTokenMs, tokens, tokensMs, at }) => [
    ...[callId, n, model, provider, ok ? 1 : 0],
    ...[firstTokenMs ?? null, tokens, tokensMs, at],
  ],
  updated: () => assert.fail('an attempt is written once'),
};
