import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isObject } from '../../../domain/jsonObject.ts';

/** A line of the hub's own log; other lines of a file are left out. */
export type LogLine = Readonly<Record<string, unknown>>;

/** The newest that are shown. */
const LINES_MAX = 50;
const STANDARD_INPUT = '-';

/** The newest lines that name one of these, of a file, or of standard input where it is `-`. */
export async function linesAbout(
  file: string,
  names: readonly string[],
): Promise<readonly LogLine[]> {
  const input = file === STANDARD_INPUT ? process.stdin : createReadStream(file);
  const found: LogLine[] = [];
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (!names.some((name) => line.includes(name))) continue;
    const read = parsed(line);
    if (read === undefined || !names.some((name) => isNamed(read, name))) continue;
    found.push(read);
    if (found.length > LINES_MAX) found.shift();
  }
  return found;
}

function isNamed({ requestId, account, ids }: LogLine, name: string): boolean {
  return requestId === name || account === name || (Array.isArray(ids) && ids.includes(name));
}

function parsed(line: string): LogLine | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
