import { execFileSync } from 'node:child_process';
import { installPeers, pgvectorPrograms, pythonPeer } from './install.mjs';

const run = (name, ...words) =>
  execFileSync('npx', ['tsx', `conformance/kinds/peers/${name}.ts`, ...words], {
    stdio: 'inherit',
  });

/** Runs `name` of a module that loads packages of the peers, which must be installed first. */
const load = (file, name) => async () => {
  installPeers();
  const module = await import(file);
  await module[name]();
};
const program = (name) => () => {
  installPeers();
  run(name);
};

/** The parts that measure the hub against others; they install what they compare with. */
export const COMPARISONS = {
  contract: load('./contract.mjs', 'contractLayer'),
  pay: load('./pay.mjs', 'signedPay'),
  doors: load('./doors.mjs', 'doors'),
  time: load('./time.mjs', 'timeApp'),
  verify: load('./verify.mjs', 'verifiers'),
  ...Object.fromEntries(
    ['ledger', 'payPostgres', 'registry', 'crawl', 'router', 'hosted', 'files', 'poker'].map(
      (name) => [name, program(name)],
    ),
  ),
  queue() {
    installPeers();
    installPeers('queue');
    run('queue');
  },
  memory() {
    installPeers();
    installPeers('memory');
    for (const name of ['memory', 'memoryText', 'memoryWrites']) run(name);
  },
  spaces: () => run('memorySpaces'),
  search: () => run('searchRace', 'beside', pythonPeer('search', 'python') ?? ''),
  meaning() {
    const python = pythonPeer('meaning', 'python');
    if (python !== undefined) run('searchMeaning', python);
  },
  pgvector() {
    const programs = pgvectorPrograms();
    if (programs !== undefined) run('memoryPgvector', programs);
  },
  models() {
    installPeers('models');
    const litellm = pythonPeer('models', 'litellm');
    run('models', ...(litellm === undefined ? [] : [litellm]));
  },
  streams: () => run('modelStreams'),
  forms: () => run('modelForms'),
  hybrid() {
    installPeers();
    installPeers('memory');
    run('memoryHybrid');
  },
};
