// `npm run steady`, or `-- 20` runs: `npm test` again and again, four workers per core. Counts the
// steady runs of a day and a Node in docs/testing.md; logs of others stay in the temporary folder.
import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepRow, keptRow } from './outcomes.mjs';
import { runInto } from './runInto.mjs';

const WORKERS_A_CORE = 4;
const COLUMNS = ['day', 'runs', 'steady', 'tests', 'load'];

const runs = Number(process.argv[2] ?? 1);
if (!Number.isInteger(runs) || runs < 1) throw new Error('npm run steady -- NUMBER');
for (let nth = 0; nth < runs; nth += 1) {
  const { isSteady, tests, load } = await run();
  const [major] = process.versions.node.split('.');
  const day = `${new Date().toISOString().slice(0, 10)} on Node ${major}`;
  const [before = '0', steady = '0'] = keptRow(COLUMNS[0], day) ?? [];
  const cells = [Number(before) + 1, Number(steady) + (isSteady ? 1 : 0), tests, load];
  keepRow(COLUMNS, day, cells.map(String));
  if (!isSteady) process.exitCode = 1;
}

async function run() {
  const log = join(tmpdir(), `steady-${process.pid}-${Date.now()}.log`);
  const workers = String(WORKERS_A_CORE * availableParallelism());
  let load = 0;
  const watch = setInterval(() => (load = Math.max(load, loadavg()[0])), 10_000);
  const code = await runInto(log, process.execPath, ['tools/test.mjs', '-w', workers]);
  clearInterval(watch);
  const [, tests = '0', rest = ''] = /(\d+) passed, (.*)\n$/.exec(readFileSync(log, 'utf8')) ?? [];
  const isSteady = code === 0 && !rest.includes('unsteady');
  console.log(`${tests} passed, ${rest}${isSteady ? '' : `: ${log}`}`);
  if (isSteady) rmSync(log);
  return { isSteady, tests, load: load.toFixed(0) };
}
