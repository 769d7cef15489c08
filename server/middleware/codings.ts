import type { IncomingMessage } from 'node:http';

/** Whether a caller takes `br` (RFC 9110 12.5.3); a wildcard is not taken for it. */
export function takesBrotli({ headers }: IncomingMessage): boolean {
  return /(?:^|,)\s*br\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:$|,)))/i.test(
    String(headers['accept-encoding'] ?? ''),
  );
}
