import { appendFileSync } from 'node:fs';
interface Refused {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Writes the refusals of a run into a file, from which `npm run refusals` takes the examples of the
 * contract. Each process writes a refusal once for each operation, code and text.
 */
const FILE = process.env['REFUSALS_FILE'];
const written = new Set<string>();

export function noteRefusal(operationId: string, { status, body }: Refused): void {
  if (FILE === undefined || status < 400 || status >= 500) return;
  const { requestId: _, ...refusal } = body;
  const line = JSON.stringify({ operationId, status, refusal });
  if (written.has(line)) return;
  written.add(line);
  appendFileSync(FILE, `${line}\n`);
}
