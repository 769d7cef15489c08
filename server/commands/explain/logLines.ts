import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isObject } from '../../../domain/jsonObject.ts';

/** A line of the hub's own log; other lines of a file are left out. */
export type LogLine = Readonly<Record<string, unknown>>;

/** The newest that are shown. */
const LINES_MAX = 50;
const STANDARD_INPUT = '-';
/** The level of warnings in the log. */
const WARN = 40;

/** The newest lines that name one of these. */
export function linesAbout(file: string, names: readonly string[]): Promise<readonly LogLine[]> {
  const mayName = (line: string): boolean => names.some((name) => line.includes(name));
  return newestLines(file, LINES_MAX, mayName, (read) => names.some((name) => isNamed(read, name)));
}

/** The newest warnings and errors. */
export function newestFaults(file: string, most: number): Promise<readonly LogLine[]> {
  const mayBe = (line: string): boolean => line.includes('"level":');
  return newestLines(file, most, mayBe, ({ level }) => Number(level) >= WARN);
}

/** Reads a file, or standard input where it is `-`. A text is looked at before it is parsed. */
async function newestLines(
  file: string,
  most: number,
  mayBe: (line: string) => boolean,
  isWanted: (line: LogLine) => boolean,
): Promise<readonly LogLine[]> {
  const input = file === STANDARD_INPUT ? process.stdin : createReadStream(file);
  const found: LogLine[] = [];
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const read = mayBe(line) ? parsed(line) : undefined;
    if (read === undefined || !isWanted(read)) continue;
    found.push(read);
    if (found.length > most) found.shift();
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
