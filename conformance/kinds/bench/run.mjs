// `npm run bench` measures the hub alone; `-- PART …` names parts. `--json` prints figures on
// standard output, text on standard error; `--keep` stores them in docs/figures.json.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { machine } from './harness.mjs';
import { keep } from './page.mjs';
import { OWN, PARTS } from './parts.mjs';
import { rowsOf } from './rows.mjs';

const PART = fileURLToPath(new URL('part.mjs', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !(name in PARTS));
if (unknown.length > 0)
  throw new Error(`no part ${unknown.join(', ')}; parts: ${Object.keys(PARTS).join(', ')}`);
const people = values.json ? process.stderr : process.stdout;

people.write(`machine: ${machine()}\n\n`);
const runs = [];
for (const part of positionals.length > 0 ? positionals : Object.keys(OWN)) {
  const run = await measured(part);
  runs.push(run);
  // A part that ran is kept even when a later one fails.
  if (values.keep) await keep([run]);
  people.write('\n');
}
if (values.json) process.stdout.write(`${JSON.stringify(runs, null, 2)}\n`);

async function measured(part) {
  const before = loadavg()[0];
  const child = spawn(process.execPath, [PART, part], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more) => {
    text += more;
    people.write(more);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${part} ended with ${code}`);
  const date = new Date().toISOString().slice(0, 10);
  const load = [before, loadavg()[0]].map((each) => Number(each.toFixed(2)));
  return { part, date, machine: machine(), load, rows: rowsOf(text) };
}
