import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../harness/postgres.ts';
import { bundle } from './bundle.ts';
import { closeIdle, startFrom } from './mortal.ts';
import { simulate, type Lane } from './towns.ts';

/**
 * `npm run simulate`: towns of 20 agents on SQLite and on PostgreSQL at once, until SIMULATE_OPS
 * operations are done. A difference between the hub and the model ends the run with its seed and
 * the shortest trace that shows it.
 */
const operations = Number(process.env['SIMULATE_OPS'] ?? 200_000);
const firstSeed = Number(process.env['SIMULATE_SEED'] ?? 1);
const only = process.env['SIMULATE_DATABASE'];
const shrinks = process.env['SIMULATE_SHRINK'] !== 'false';

// In memory where the system has such a folder: what a disk takes to sync proves nothing here.
const shelf = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const folder = await mkdtemp(join(shelf, 'simulate-'));
const postgres = only === 'sqlite' ? undefined : await startPostgres();
let files = 0;

const sqliteLane: Lane = {
  name: 'sqlite',
  freshDatabase: async () => {
    files += 1;
    return `sqlite:${join(folder, `${files}.sqlite`)}`;
  },
};
const postgresLane: Lane = {
  name: 'postgres',
  freshDatabase: async () => (await postgres?.freshDatabase()) ?? '',
};
const lanes = [sqliteLane, postgresLane].filter(({ name }) => (only ?? name) === name);

const child = await bundle();
startFrom(child.path);

try {
  const report = (line: string): void => console.log(line);
  const { found, sights } = await simulate({ operations, firstSeed, lanes, report, shrinks });
  console.log(JSON.stringify(sights));
  if (found !== undefined) {
    console.log(found);
    process.exitCode = 1;
  }
} finally {
  closeIdle();
  await child.remove();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}
