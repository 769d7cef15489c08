import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../harness/postgres.ts';
import { episode, printed, replay } from './episode.ts';
import { shrink } from './shrink.ts';

/**
 * `npm run simulate`: towns of 20 agents, each from a seed of its own, in turn on SQLite and on
 * PostgreSQL, until SIMULATE_OPS operations are done. A difference between the hub and the model
 * ends the run with its seed and the shortest trace that shows it.
 */
const wanted = Number(process.env['SIMULATE_OPS'] ?? 200_000);
const firstSeed = Number(process.env['SIMULATE_SEED'] ?? 1);
const only = process.env['SIMULATE_DATABASE'];
const EPISODE_OPERATIONS = 1_000;
/** Operations shown of a run that is not shrunk. */
const LAST_SHOWN = 400;

// In memory where the system has such a folder: what a disk takes to sync proves nothing here.
const shelf = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const folder = await mkdtemp(join(shelf, 'simulate-'));
const postgres = only === 'sqlite' ? undefined : await startPostgres();
let files = 0;
const databases = {
  sqlite: () => {
    files += 1;
    return Promise.resolve(`sqlite:${join(folder, `${files}.sqlite`)}`);
  },
  postgres: async () => (await postgres?.freshDatabase()) ?? '',
};
const kinds = (['sqlite', 'postgres'] as const).filter((kind) => (only ?? kind) === kind);

try {
  await simulate();
} finally {
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}

async function simulate(): Promise<void> {
  const began = performance.now();
  let done = 0;
  for (let seed = firstSeed; done < wanted; seed += 1) {
    const database = kinds[seed % kinds.length] ?? 'sqlite';
    const place = { seed, freshDatabase: databases[database] };
    const operations = Math.min(EPISODE_OPERATIONS, wanted - done);
    const played = await episode({ ...place, operations });
    if (played.wrong.length > 0) {
      console.log(`seed ${seed} on ${database}:\n${played.wrong.join('\n')}`);
      process.exitCode = 1;
      if (process.env['SIMULATE_SHRINK'] === 'false') {
        console.log(printed(played.operations.slice(-LAST_SHOWN)));
        return;
      }
      const kind = kindOf(played.wrong);
      const fails = async (some: typeof played.operations): Promise<boolean> =>
        kindOf((await replay(place, some)).wrong) === kind;
      const least = await shrink(played.operations, fails);
      const again = await replay(place, least);
      console.log(`${printed(least)}\n${again.wrong.join('\n')}`);
      return;
    }
    done += operations;
    const seconds = (performance.now() - began) / 1000;
    console.log(
      `seed ${seed} ${database}: ${done} operations, ${Math.round(done / seconds)}/s, no difference`,
    );
  }
}

/** What differed, without the names and amounts of this run: a shorter run must differ alike. */
function kindOf([first]: readonly string[]): string {
  return (first ?? '').split('\n')[0]?.replaceAll(/[0-9a-f]{8}-[0-9a-f-]+|[0-9]+/g, '0') ?? '';
}
