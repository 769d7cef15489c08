// Everything that must hold before a change lands, in the order in which it is quick to know.
import { spawnSync } from 'node:child_process';

const STEPS = [
  ['lint of the contract', ['run', '--silent', 'spec:lint']],
  ['generated files are what the contract gives', ['run', '--silent', 'check:generated']],
  ['types', ['run', '--silent', 'typecheck']],
  ['lint of the code', ['run', '--silent', 'lint']],
  ['format', ['run', '--silent', 'format:check']],
  ['tests', ['test', '--silent']],
];

for (const [title, words] of STEPS) {
  process.stdout.write(`\n== ${title}\n`);
  const started = Date.now();
  const { status } = spawnSync('npm', words, { stdio: 'inherit' });
  process.stdout.write(
    `== ${title}: ${status === 0 ? 'good' : 'BAD'}, ${((Date.now() - started) / 1000).toFixed(1)} s\n`,
  );
  if (status !== 0) process.exit(status ?? 1);
}
