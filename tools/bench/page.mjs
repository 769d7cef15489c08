/** The last figures of each part, kept in `docs/figures.json` and shown in `docs/figures.md`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { format } from 'prettier';

const KEPT = new URL('../../docs/figures.json', import.meta.url);
const PAGE = new URL('../../docs/figures.md', import.meta.url);
const HEAD = '## Last runs';
const INTRO =
  'Made by `npm run bench -- --keep PART` from [figures.json](figures.json): each part as it last ran, with the machine, its load before and after, and the date.';

/** Puts parts that ran in the place of what was known of them. */
export async function keep(runs) {
  const parts = { ...readKept(), ...Object.fromEntries(runs.map((run) => [run.part, run])) };
  const sorted = Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(KEPT, await format(JSON.stringify(sorted), { parser: 'json', printWidth: 100 }));
  writeFileSync(PAGE, withRuns(readFileSync(PAGE, 'utf8'), Object.values(sorted)));
}

export function readKept() {
  return JSON.parse(readFileSync(KEPT, 'utf8'));
}

/** The page with what was kept below its own text. */
export function withRuns(page, runs) {
  const own = page.split(`\n${HEAD}\n`)[0].trimEnd();
  return `${[own, HEAD, INTRO, ...runs.map(shown)].join('\n\n')}\n`;
}

function shown({ part, date, machine, load, rows }) {
  const [before, after] = load.map((each) => each.toFixed(1));
  const cells = rows.map(({ of, name, said }) => [of === '' ? name : `${of}: ${name}`, said]);
  const table = [['What', 'Measured'], ...cells].map((row) => row.map(escaped));
  const widths = [0, 1].map((at) => Math.max(...table.map((row) => row[at].length)));
  const line = (row) => `| ${row.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [head, ...rest] = table.map(line);
  const intro = `${date}, ${machine}, load ${before} to ${after}.`;
  return [`### ${part}`, intro, [head, rule, ...rest].join('\n')].join('\n\n');
}

// Prettier leaves one space where a bench put several.
const escaped = (text) => text.replaceAll('|', '\\|').replaceAll(/ +/g, ' ');
