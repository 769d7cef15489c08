import { readFileSync } from 'node:fs';
import { addressingPhrases } from '../domain/injection/detect.ts';

/**
 * `tsx tools/signalTable.ts <file>`: prints how the signals judge a foreign corpus
 * (docs/signals.md), a file of lines `{"text", "hostile", "language", "technique"}`.
 */
interface Line {
  readonly text: string;
  readonly hostile: boolean;
  readonly language: string;
  readonly technique: string;
}

interface Counts {
  found: number;
  hostile: number;
  alarms: number;
  honest: number;
}

function tableOf(lines: readonly Line[], column: (line: Line) => string): string {
  const rows = new Map<string, Counts>();
  for (const line of lines) {
    const name = column(line);
    const row = rows.get(name) ?? { found: 0, hostile: 0, alarms: 0, honest: 0 };
    rows.set(name, row);
    const isFlagged = addressingPhrases(line.text).length > 0;
    if (line.hostile) row.hostile += 1;
    else row.honest += 1;
    if (isFlagged && line.hostile) row.found += 1;
    if (isFlagged && !line.hostile) row.alarms += 1;
  }
  const shown = [...rows].map(([name, { found, hostile, alarms, honest }]) => {
    return `| ${name} | ${found} | ${hostile - found} | ${alarms} | ${honest - alarms} |`;
  });
  return [
    '| of | found | missed | false alarms | left alone |',
    '|---|---|---|---|---|',
    ...shown,
  ].join('\n');
}

const [, , file = ''] = process.argv;
const lines = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line) as Line);
const columns = [() => 'all', ({ language }: Line) => language, ({ technique }: Line) => technique];
for (const column of columns) process.stdout.write(`${tableOf(lines, column)}\n\n`);
