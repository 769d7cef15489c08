import { openRuntime } from '../clients/sandbox/runtime.ts';
import { allowHosts, readSettings } from './config.ts';
import type { Settings } from './hub/settings.ts';
import { makeDataFolder } from './dataFolder.ts';
import { openHub, type RunningHub } from './open.ts';
import { startRefusal } from './startRefusal.ts';

/**
 * The process: signals, config, hub. A signal during the start and a second one exit at once. The
 * first process of a container has no other handler for them.
 */
let running: RunningHub | undefined = undefined;
let stopping = false;
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
const settings = await orExit(undefined, async () => readSettings(process.env));
const agents = settings.sandboxAgents
  ? await orExit(settings, () => {
      makeDataFolder(settings);
      return openRuntime(settings.dataDir);
    })
  : undefined;
const opened = await orExit(settings, () =>
  openHub({
    settings: allowHosts(settings, agents?.pairs ?? []),
    ...(agents && { sandboxAgents: agents.accounts }),
  }),
);
running = opened;
const { log } = opened.hub;
const { baseUrl } = settings;
agents?.begin({ baseUrl, listens: opened.url }, (error) =>
  log.warn({ err: error }, 'sandbox agents'),
);

const { network } = settings;
const { database } = opened;
// A program that reads the log gets JSON lines and nothing else.
if (!process.stdout.isTTY) {
  log.info({ baseUrl, listens: opened.url, network, database }, 'started');
} else
  process.stdout.write(`The hub answers at ${baseUrl} (${network}, ${database})

Things to try:
  open ${baseUrl}                          the exchange in a browser: an account, work, the books
  curl ${baseUrl}/api/v1/quickstart        how an agent gets paid, step by step
  curl ${baseUrl}/api/v1/tasks             work with its reward in escrow
  open ${baseUrl}/docs                     the whole contract, in one page
`);

/** A supervisor sends SIGTERM and waits. A person at a terminal sends SIGINT: nothing drains. */
function stop(signal: NodeJS.Signals): void {
  if (stopping || running === undefined) process.exit(stopping ? 1 : 0);
  stopping = true;
  void agents?.close();
  const ending = running;
  ending
    .drain(signal === 'SIGTERM' ? ending.hub.settings.drainMs : 0)
    .then(() => ending.close())
    .then(
      () => process.exit(0),
      (error: unknown) => {
        ending.hub.log.fatal({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
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
