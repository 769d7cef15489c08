import cluster from 'node:cluster';
import { mustBeAbleToStart } from './boot/beforeStart.ts';
import { readSettings } from './boot/config.ts';
import { makeDataFolder } from './boot/dataFolder.ts';
import type { Settings } from '../workflows/kernel/settings.ts';
import { openSignals } from './boot/signals.ts';
import { startRefusal } from './boot/startRefusal.ts';
import { workersOf } from './workers/count.ts';

/** The program: signals, settings, and then one process that serves or the parent of several. */
const { isWorker } = cluster;
const signals = openSignals(!isWorker);
const link = isWorker ? await (await import('./workers/link.ts')).openLink() : undefined;
const settings = await orExit(undefined, async () => readSettings(process.env));
const count = isWorker ? 0 : await orExit(settings, async () => workersOf(settings));
if (!isWorker) await orExit(settings, () => mustBeAbleToStart(settings));
const agents =
  settings.sandboxAgents && !isWorker
    ? await orExit(settings, async () => {
        makeDataFolder(settings);
        return (await import('../clients/sandbox/runtime.ts')).openRuntime(settings.dataDir);
      })
    : undefined;
if (count > 0) {
  const { runPool } = await import('./workers/pool.ts');
  await orExit(settings, () => runPool({ settings, count, signals, agents }));
} else {
  const { runProcess } = await import('./boot/process.ts');
  await orExit(settings, () => runProcess({ settings, signals, agents, link }));
}

/** Prints one line for an error that the operator can mend; any other error keeps its stack. */
async function orExit<T>(known: Settings | undefined, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const why = startRefusal(error, known);
    if (why === undefined) throw error;
    process.stderr.write(`hub: ${why}\n`);
    process.exit(1);
  }
}
