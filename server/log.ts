import { pino, type Logger } from 'pino';
import type { Settings } from './hub/settings.ts';

/** Bytes that wait for a slow reader of the log; lines beyond them are dropped. */
const WAITING_BYTES_MAX = 16_777_216;

/**
 * Opens the log: readable text on a terminal, one JSON object per line elsewhere. Lines are written
 * without blocking, so a reader that stops does not stop the hub.
 */
export function openLog({ logLevel: level }: Pick<Settings, 'logLevel'>): Logger {
  if (process.stdout.isTTY) return pino({ level, transport: { target: 'pino-pretty' } });
  return pino({ level }, pino.destination({ sync: false, maxLength: WAITING_BYTES_MAX }));
}
