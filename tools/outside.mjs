// `npm run outside`, or `-- NAME …`: runs the scripts that need more than npm (Debian's packages,
// Python, other runtimes, hours), and keeps each outcome with its date in docs/testing.md.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepRow } from './outcomes.mjs';
import { runInto } from './runInto.mjs';

export const SCRIPTS = [
  'client:python',
  'client:runtimes',
  'client:terminal',
  'cluster',
  'deploy:check',
  'deploy:pitr',
  'documents',
  'doors:python',
  'dredd',
  'files:s3',
  'hosted:python',
  'log:go',
  'mcp:conformance',
  'models:aisdk',
  'models:local',
  'models:python',
  'models:sdks',
  'models:shapes',
  'nodes',
  'payments:clients',
  'poker:pokerkit',
  'proxy:nginx',
  'registry:official',
  'rehearse',
  'schema:python',
  'schemathesis',
  'sdks',
  'serial',
  'verify:python',
  'web:test',
];
/** Words of a script that serves until it is stopped when it has none. */
const WORDS = { 'models:local': ['--', '--check'] };
const COLUMNS = ['script', 'outcome', 'date', 'Node', 'minutes'];

async function run(name) {
  const log = join(tmpdir(), `outside-${name.replace(':', '-')}.log`);
  const began = performance.now();
  const code = await runInto(log, 'npm', ['run', '-s', name, ...(WORDS[name] ?? [])]);
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  console.log(`${name}: ${code === 0 ? 'passed' : `failed, ${log}`} in ${minutes} min`);
  const date = new Date().toISOString().slice(0, 10);
  return [code === 0 ? 'passed' : 'failed', date, process.versions.node, minutes];
}

if (process.argv[1] === import.meta.filename) {
  const named = process.argv.slice(2);
  const unknown = named.filter((name) => !SCRIPTS.includes(name));
  if (unknown.length > 0) throw new Error(`none of ${SCRIPTS.join(', ')}: ${unknown.join(', ')}`);
  for (const name of named.length > 0 ? named : SCRIPTS) {
    const cells = await run(name);
    keepRow(COLUMNS, name, cells);
    if (cells[0] === 'failed') process.exitCode = 1;
  }
}
