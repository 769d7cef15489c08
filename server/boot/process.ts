import { allowHosts } from './config.ts';
import { greeting } from './greeting.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';
import { openHub } from './open.ts';
import type { ScriptedAgents } from './scriptedAgents.ts';
import type { Signals } from './signals.ts';
import type { Link } from '../workers/link.ts';

/** One process that serves: the whole hub, or one of its workers when it has a parent. */
interface ProcessParts {
  readonly settings: Settings;
  readonly signals: Signals;
  readonly agents: ScriptedAgents | undefined;
  readonly link: Link | undefined;
}

export async function runProcess({ settings, signals, agents, link }: ProcessParts): Promise<void> {
  const { pairs = [], accounts } = link?.agents ?? agents ?? {};
  const running = await openHub({
    settings: allowHosts(settings, pairs),
    ...(accounts && { sandboxAgents: new Set(accounts) }),
    ...(link && { link }),
  });
  const { log } = running.hub;
  const close = async (): Promise<void> => {
    try {
      await running.close();
    } catch (error) {
      log.fatal({ err: error }, 'shutdown failed');
      throw error;
    }
  };
  signals.onStop(async (signal) => {
    void agents?.close();
    // A supervisor sends SIGTERM and waits. A person at a terminal sends SIGINT: nothing drains.
    await running.drain(signal === 'SIGTERM' ? settings.drainMs : 0);
    await close();
  });
  const stopped = new AbortController();
  link?.on({
    stop(signal) {
      stopped.abort();
      signals.stop(signal);
    },
    retire() {
      signals.onStop(async () => {
        await running.retire(stopped.signal);
        await close();
      });
      signals.stop('SIGTERM');
    },
  });
  // A terminal that closes ends the hub; elsewhere a reload must not.
  if (link === undefined && !process.stdout.isTTY) {
    process.on('SIGHUP', () => log.warn('SIGHUP replaces workers, and HUB_WORKERS is not set'));
  }
  const { baseUrl, network } = settings;
  const { url: listens, database } = running;
  // A program that reads the log gets JSON lines and nothing else.
  if (!process.stdout.isTTY) log.info({ baseUrl, listens, network, database }, 'started');
  else if (link === undefined) process.stdout.write(greeting(settings, database));
  agents?.begin({ baseUrl, listens }, (error) => log.warn({ err: error }, 'sandbox agents'));
  link?.ready(() => running.connections());
}
