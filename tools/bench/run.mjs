// `npm run bench`: ratios against aims and peers, each pair interleaved in one run.
// Peers live in tools/bench/peers and are installed here, on demand, not with the hub.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { contractLayer } from './contract.mjs';
import { doors } from './doors.mjs';
import { line, machine } from './harness.mjs';
import { signedPay } from './pay.mjs';
import { startAndIdle } from './start.mjs';
import { timeApp } from './time.mjs';
import { verifiers } from './verify.mjs';

const PARTS = {
  contract: contractLayer,
  pay: signedPay,
  doors,
  start: startAndIdle,
  time: timeApp,
  verify: verifiers,
  ledger: () => execFileSync('npx', ['tsx', 'tools/bench/ledger.ts'], { stdio: 'inherit' }),
  registry: () => execFileSync('npx', ['tsx', 'tools/bench/registry.ts'], { stdio: 'inherit' }),
  crawl: () => execFileSync('npx', ['tsx', 'tools/bench/crawl.ts'], { stdio: 'inherit' }),
  router: () => execFileSync('npx', ['tsx', 'tools/bench/router.ts'], { stdio: 'inherit' }),
  hosted: () => execFileSync('npx', ['tsx', 'tools/bench/hosted.ts'], { stdio: 'inherit' }),
  tasks: () => execFileSync('npx', ['tsx', 'tools/bench/tasks.ts'], { stdio: 'inherit' }),
  checks: () => execFileSync('npx', ['tsx', 'tools/bench/checks.ts'], { stdio: 'inherit' }),
  memory: () => execFileSync('npx', ['tsx', 'tools/bench/memory.ts'], { stdio: 'inherit' }),
  poker: () => execFileSync('npx', ['tsx', 'tools/bench/poker.ts'], { stdio: 'inherit' }),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in PARTS));
if (unknown.length > 0)
  throw new Error(`no part ${unknown.join(', ')}; parts: ${Object.keys(PARTS).join(', ')}`);
const { dependencies } = JSON.parse(readFileSync('tools/bench/peers/package.json', 'utf8'));
const isThere = (name) => existsSync(`tools/bench/peers/node_modules/${name}`);
if (!Object.keys(dependencies).every(isThere)) {
  line('installing the peers that the hub is measured against (tools/bench/peers)');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: 'tools/bench/peers',
    stdio: 'inherit',
  });
}
line(`machine: ${machine()}\n`);
for (const [name, part] of Object.entries(PARTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  await part();
  line('');
}
