// npm run advisories: prints what the registry knows against the packages that the product loads.
// A new advisory must not stop a change that has nothing to do with it, so this never fails.
import { spawnSync } from 'node:child_process';

const words = [
  'audit',
  '--omit',
  'dev',
  '--json',
  '--fetch-timeout',
  '20000',
  '--fetch-retries',
  '0',
];
const { stdout } = spawnSync('npm', words, {
  encoding: 'utf8',
  timeout: 60_000,
  shell: process.platform === 'win32',
});
const { vulnerabilities, message } = read(stdout);
const lines =
  vulnerabilities === undefined
    ? [`The registry was not asked: ${message ?? 'npm audit gave no answer'}`]
    : Object.values(vulnerabilities).map(describe);
process.stdout.write(`${lines.join('\n') || 'No advisory is known.'}\n`);

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function describe({ name, severity, range, via, fixAvailable }) {
  const titles = via.map((each) => (typeof each === 'string' ? each : `${each.title} ${each.url}`));
  const remedy = fixAvailable ? 'an update mends it' : 'no update mends it yet';
  return `${severity}: ${name} ${range}, ${remedy}: ${titles.join('; ')}`;
}
