import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * `npm run simulate`: towns of 20 agents on SQLite and on PostgreSQL at once, each database in a
 * process of its own with half of the operations, until SIMULATE_OPS are done. A difference between
 * the hub and the model ends its process with the seed and the shortest trace that shows it.
 */
const operations = Number(process.env['SIMULATE_OPS'] ?? 200_000);
const firstSeed = Number(process.env['SIMULATE_SEED'] ?? 1);
const only = process.env['SIMULATE_DATABASE'];
const shrinks = process.env['SIMULATE_SHRINK'] !== 'false';

const databases = only === undefined ? ['sqlite', 'postgres'] : [only];
/** Seeds of the second database begin where the first can not come. */
const SEEDS_APART = 1_000_000;
const began = performance.now();

const ends = databases.map(async (database, nth) => {
  const seed = firstSeed + nth * SEEDS_APART;
  const share = Math.ceil(operations / databases.length);
  const lane = fork(
    new URL('lane.ts', import.meta.url),
    [database, String(share), String(seed), String(shrinks)],
    { execArgv: ['--import=tsx'] },
  );
  const [code] = (await once(lane, 'exit')) as [number | null];
  return code;
});
const codes = await Promise.all(ends);
const isClean = codes.every((code) => code === 0);
if (isClean) {
  const seconds = (performance.now() - began) / 1000;
  const rate = Math.round(operations / seconds);
  console.log(`${operations} operations in ${Math.round(seconds)} s, ${rate}/s, 0 differences`);
}
process.exitCode = isClean ? 0 : 1;
