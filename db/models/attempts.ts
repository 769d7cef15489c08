import type { Instant } from '../../domain/instant.ts';
import type { MeasuredAttempt } from '../../domain/models/measure.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

/** How a provider did in one call; a call has one row for each provider that was asked. */
export interface ModelAttempt {
  readonly callId: string;
  readonly n: number;
  readonly model: string;
  readonly provider: string;
  /** It gave tokens and did not break off. */
  readonly ok: boolean;
  readonly firstTokenMs?: number;
  readonly tokens: number;
  /** Milliseconds from the first token to the last. */
  readonly tokensMs: number;
  readonly at: Instant;
}

const LATEST = statement(`
  SELECT call_id, ok, first_token_ms, tokens, tokens_ms FROM model_attempts
  WHERE model = ? AND at >= ? ORDER BY at DESC LIMIT ?`);

export async function latestAttempts(
  db: Reader,
  model: string,
  since: Instant,
  limit: number,
): Promise<readonly MeasuredAttempt[]> {
  const rows = await linkOf(db).rows(LATEST, [model, since, limit]);
  return rows.map((row) => {
    const firstTokenMs = column.wholeOrNull(row, 'first_token_ms');
    return {
      callId: column.text(row, 'call_id'),
      ok: column.flag(row, 'ok'),
      ...(firstTokenMs !== null && { firstTokenMs }),
      tokens: column.whole(row, 'tokens'),
      tokensMs: column.whole(row, 'tokens_ms'),
    };
  });
}
