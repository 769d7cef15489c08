// Everything that must hold before a change lands. What only reads goes first, as many at once as
// there are cores, in the order in which it is quick to know; the tests then have the machine alone.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

const READING = [
  ['types', ['run', '--silent', 'typecheck']],
  ['lint of the code', ['run', '--silent', 'lint']],
  ['files, exports and packages that nothing uses', ['run', '--silent', 'unused']],
  ['lint of the contract', ['run', '--silent', 'spec:lint']],
  ['what the contract breaks', ['run', '--silent', 'spec:breaking']],
  ['generated files are what the contract gives', ['run', '--silent', 'check:generated']],
  ['format', ['run', '--silent', 'format:check']],
  ['known weaknesses of packages', ['run', '--silent', 'advisories']],
];
const TESTS = [
  ['tests', ['test', '--silent']],
  ['long tests', ['run', '--silent', 'test:long']],
];

const queue = [...READING];
const bad = [];
await Promise.all(Array.from({ length: availableParallelism() }, lane));
for (const tests of TESTS) if (bad.length === 0) await step(tests, true);
if (bad.length > 0) process.stdout.write(`\n== BAD: ${bad.join(', ')}\n`);
process.exitCode = bad.length === 0 ? 0 : 1;

async function lane() {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await step(next, false);
}

/** Runs one step. The output of parallel steps is printed when each has ended. */
async function step([title, words], isAlone) {
  const began = performance.now();
  if (isAlone) process.stdout.write(`\n== ${title}\n`);
  const child = spawn('npm', words, {
    stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes) => output.push(bytes));
  const status = await new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', resolve);
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (!isAlone) process.stdout.write(`\n== ${title}\n${Buffer.concat(output)}`);
  process.stdout.write(`== ${title}: ${status === 0 ? 'good' : 'BAD'}, ${seconds} s\n`);
  if (status !== 0) bad.push(title);
}
