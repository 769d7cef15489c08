import { execFileSync } from 'node:child_process';
import { contractLayer } from './contract.mjs';
import { doors } from './doors.mjs';
import { signedPay } from './pay.mjs';
import { installPeers, pgvectorPrograms, pythonPeer } from './peers.mjs';
import { startAndIdle } from './start.mjs';
import { timeApp } from './time.mjs';
import { verifiers } from './verify.mjs';

/** The parts that can be measured; each prints its own figures. */
export const PARTS = {
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
  bets: () => execFileSync('npx', ['tsx', 'tools/bench/bets.ts'], { stdio: 'inherit' }),
  queue: () => {
    installPeers('peers/queue');
    execFileSync('npx', ['tsx', 'tools/bench/queue.ts'], { stdio: 'inherit' });
  },
  checks: () => execFileSync('npx', ['tsx', 'tools/bench/checks.ts'], { stdio: 'inherit' }),
  memory: () => {
    installPeers('peers/memory');
    execFileSync('npx', ['tsx', 'tools/bench/memory.ts'], { stdio: 'inherit' });
    execFileSync('npx', ['tsx', 'tools/bench/memoryText.ts'], { stdio: 'inherit' });
    execFileSync('npx', ['tsx', 'tools/bench/memoryWrites.ts'], { stdio: 'inherit' });
  },
  pgvector: () => {
    const programs = pgvectorPrograms();
    if (programs === undefined) return;
    execFileSync('npx', ['tsx', 'tools/bench/memoryPgvector.ts', programs], { stdio: 'inherit' });
  },
  models: () => {
    installPeers('peers/models');
    const litellm = pythonPeer('peers/models', 'litellm');
    const words = ['tsx', 'tools/bench/models.ts', ...(litellm === undefined ? [] : [litellm])];
    execFileSync('npx', words, { stdio: 'inherit' });
  },
  streams: () => execFileSync('npx', ['tsx', 'tools/bench/modelStreams.ts'], { stdio: 'inherit' }),
  spaces: () => execFileSync('npx', ['tsx', 'tools/bench/memorySpaces.ts'], { stdio: 'inherit' }),
  files: () => execFileSync('npx', ['tsx', 'tools/bench/files.ts'], { stdio: 'inherit' }),
  rails: () => execFileSync('npx', ['tsx', 'tools/bench/rails.ts'], { stdio: 'inherit' }),
  poker: () => execFileSync('npx', ['tsx', 'tools/bench/poker.ts'], { stdio: 'inherit' }),
  processes: () => execFileSync('npx', ['tsx', 'tools/bench/processes.ts'], { stdio: 'inherit' }),
  tables: () => execFileSync('npx', ['tsx', 'tools/bench/tables.ts'], { stdio: 'inherit' }),
};
