import type { Instant } from '../../domain/instant.ts';
import type { MeasuredAttempt } from '../../domain/models/measure.ts';
import { flag, integer, moment, text } from '../batch/columns.ts';
import { table } from '../batch/table.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { MODEL_CALLS } from './calls.ts';

/** How each provider did in a call. `ok`: all tokens came. `tokensMs`: from first to last token. */
export const MODEL_ATTEMPTS = table(
  'model_attempts',
  {
    callId: text().key(),
    n: integer().key(),
    model: text().fixed(),
    provider: text().fixed(),
    ok: flag().fixed(),
    firstTokenMs: integer().fixed().optional(),
    tokens: integer().fixed(),
    tokensMs: integer().fixed(),
    at: moment().fixed(),
  },
  {
    personal: { apart: 'measures of providers, about no account' },
    use: 'append',
    under: [MODEL_CALLS],
  },
);

const LATEST = statement(`
  SELECT * FROM model_attempts
  WHERE model = ? AND at >= ? ORDER BY at DESC LIMIT ?`);

export async function latestAttempts(
  db: Reader,
  model: string,
  since: Instant,
  limit: number,
): Promise<readonly MeasuredAttempt[]> {
  const rows = await linkOf(db).rows(LATEST, [model, since, limit]);
  return rows.map(MODEL_ATTEMPTS.fromRow);
}
