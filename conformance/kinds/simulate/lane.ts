import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../harness/postgres.ts';
import { closeIdle } from './crashableProcess.ts';
import { simulate, type Lane } from './fixtures.ts';

/** The towns of one database; `main.ts` starts one such process for each. */
const [, , database = 'sqlite', operations = '1000', firstSeed = '1', shrinks = 'true'] =
  process.argv;

// In memory where the system has such a folder: what a disk takes to sync proves nothing here.
const shelf = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const folder = await mkdtemp(join(shelf, 'simulate-'));
const postgres = database === 'postgres' ? await startPostgres() : undefined;
let files = 0;

const lane: Lane = {
  name: database,
  freshDatabase: async () => {
    files += 1;
    const file = `sqlite:${join(folder, `${files}.sqlite`)}`;
    return (await postgres?.freshDatabase()) ?? file;
  },
};

try {
  const { found, coverage } = await simulate({
    operations: Number(operations),
    firstSeed: Number(firstSeed),
    lanes: [lane],
    report: (line) => console.log(line),
    shrinks: shrinks === 'true',
  });
  console.log(`${database}: ${JSON.stringify(coverage)}`);
  if (found !== undefined) {
    console.log(found);
    process.exitCode = 1;
  }
} finally {
  closeIdle();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}
