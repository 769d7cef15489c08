import { styleText } from 'node:util';
import { isSet, type Call, type Io } from './command.ts';

/** Formats output; untrusted texts lose characters that control a terminal or change direction. */
const STEERING = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** JSON escapes what is below a space and nothing else. */
const UNESCAPED = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
const CELL_MAX = 60;
const GAP = '  ';

export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow';

/** Text on one line that cannot steer a terminal. */
export function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(STEERING, '');
}

export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    UNESCAPED,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Colour only where a terminal reads it and the user has not said no (NO_COLOR). */
export function styled(
  { env, isTerminal }: Pick<Io, 'env' | 'isTerminal'>,
  style: Style,
  text: string,
  stream: 'out' | 'err' = 'out',
): string {
  const refused = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  return isTerminal[stream] && !refused ? styleText(style, text) : text;
}

/** Prints the answer as JSON, or what `people` writes of it. */
export function show(call: Call, value: unknown, people: () => string): void {
  call.io.out(isSet(call, 'json') ? `${jsonText(value, 2)}\n` : people());
}

export type Cell = string | number | boolean | undefined;

/** Rows under headings, as wide as they need; amounts and counts stand at the right. */
export function table(
  io: Io,
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const texts = rows.map((row) => headings.map((_, at) => cut(row[at])));
  const widths = headings.map((heading, at) =>
    Math.max(heading.length, ...texts.map((row) => (row[at] ?? '').length)),
  );
  const isRight = headings.map(
    (_, at) => texts.length > 0 && texts.every((row) => /^-?[\d.]*$/.test(row[at] ?? '')),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) =>
        isRight[at] === true ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
      )
      .join(GAP)
      .trimEnd();
  return [styled(io, 'dim', line(headings)), ...texts.map(line), ''].join('\n');
}

/** Names and values under each other; what is undefined is left out. */
export function facts(io: Io, pairs: readonly (readonly [string, Cell])[]): string {
  const shown = pairs.filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown
    .map(
      ([name, value]) => `${styled(io, 'dim', name.padEnd(width))}${GAP}${plain(String(value))}\n`,
    )
    .join('');
}

function cut(cell: Cell): string {
  const text = cell === undefined ? '' : plain(String(cell));
  return text.length > CELL_MAX ? `${text.slice(0, CELL_MAX - 1)}…` : text;
}

export interface Progress {
  say(text: string): void;
  end(): void;
}

/** One line on a terminal that is written over; elsewhere a line for each new text. */
export function progress({ err, isTerminal }: Io): Progress {
  let last = '';
  return {
    say: (text) => {
      const now = plain(text);
      if (now === last) return;
      if (isTerminal.err) err(`\r\u001b[K${now}`);
      else if (withoutNumbers(now) !== withoutNumbers(last)) err(`${now}\n`);
      last = now;
    },
    end: () => {
      if (isTerminal.err && last !== '') err('\r\u001b[K');
      last = '';
    },
  };
}

/** A countdown in a log is one line, not one a second. */
function withoutNumbers(text: string): string {
  return text.replace(/\d+/g, '#');
}
