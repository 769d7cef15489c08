import { setTimeout as sleep } from 'node:timers/promises';
import { openRuntime } from '../clients/sandbox/runtime.ts';
import { allowHosts, readSettings } from './config.ts';
import type { Settings } from './hub/settings.ts';
import { makeDataFolder } from './dataFolder.ts';
import { openHub } from './open.ts';
import { startRefusal } from './startRefusal.ts';

/** The process: config, hub, signals. A second signal exits at once. */
const settings = await orExit(undefined, async () => readSettings(process.env));
const agents = settings.sandboxAgents
  ? await orExit(settings, () => {
      makeDataFolder(settings);
      return openRuntime(settings.dataDir);
    })
  : undefined;
const running = await orExit(settings, () =>
  openHub({
    settings: allowHosts(settings, agents?.pairs ?? []),
    ...(agents && { sandboxAgents: agents.accounts }),
  }),
);
const { baseUrl } = settings;
agents?.begin({ baseUrl, listens: running.url }, (error) =>
  running.hub.log.warn({ err: error }, 'sandbox agents'),
);

const { network } = settings;
// A program that reads the log gets JSON lines and nothing else.
if (!process.stdout.isTTY) {
  running.hub.log.info(
    { baseUrl, listens: running.url, network, database: running.database },
    'started',
  );
} else
  process.stdout.write(`The hub answers at ${baseUrl} (${network}, ${running.database})

Things to try:
  open ${baseUrl}                          the exchange in a browser: an account, work, the books
  curl ${baseUrl}/api/v1/quickstart        how an agent gets paid, step by step
  curl ${baseUrl}/api/v1/tasks             work with its reward in escrow
  open ${baseUrl}/docs                     the whole contract, in one page
`);

let stopping = false;
const stop = (): void => {
  if (stopping) process.exit(1);
  stopping = true;
  void agents?.close();
  running.drain();
  const { drainMs } = settings;
  (drainMs === 0 ? Promise.resolve() : sleep(drainMs))
    .then(() => running.close())
    .then(
      () => process.exit(0),
      (error: unknown) => {
        running.hub.log.fatal({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

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
