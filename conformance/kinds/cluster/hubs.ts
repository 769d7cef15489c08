import { join } from 'node:path';
import { freePort } from '../../../clients/examples/freePort.ts';
import { program } from '../../harness/program.ts';
import { run, send, startDaemon, until, type Daemon } from './daemons.ts';

/** A hub as its operator runs it: a process of its own, which may be restarted. */
export interface Hub {
  readonly name: string;
  readonly port: number;
  readonly url: string;
  /** The file of its standard output and standard error. */
  readonly log: string;
  /** @param program A compiled program; absent, the sources as they are. */
  start(program?: string): Promise<void>;
  /** SIGTERM: it drains and ends by itself. */
  end(): Promise<void>;
  /** Stops or continues the process as it is. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  isReady(): Promise<boolean>;
}

export interface HubPlace {
  readonly name: string;
  readonly folder: string;
  readonly databaseUrl: string;
  readonly env?: Readonly<Record<string, string>>;
}

export async function openHub(place: HubPlace): Promise<Hub> {
  const { name, folder, databaseUrl, env = {} } = place;
  const ownMain = await program('server/main.ts');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let daemon: Daemon | undefined;
  const isReady = async (): Promise<boolean> =>
    fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      (answer) => answer.ok,
      () => false,
    );
  return {
    name,
    port,
    url,
    log: join(folder, `${name}.log`),
    isReady,
    async start(main = ownMain) {
      daemon = await startDaemon({
        name,
        command: [process.execPath, main],
        folder,
        asCaller: true,
        env: {
          HUB_PORT: String(port),
          HUB_DATABASE_URL: databaseUrl,
          HUB_DATA_DIR: join(folder, 'hub'),
          HUB_RATE_LIMITS: 'false',
          HUB_ACCESS_LOG: 'false',
          FAUCET_ENABLED: 'true',
          ...env,
        },
      });
      const started = daemon;
      await until(`${name} is ready or ended`, async () => !started.isRunning() || isReady());
      if (!started.isRunning()) throw new Error(`${name} ended; its log is ${started.log}`);
    },
    async end() {
      await daemon?.end();
    },
    signal(signal) {
      if (daemon?.isRunning() === true) send(daemon.pid, signal);
    },
  };
}

export async function startHubs(
  place: Omit<HubPlace, 'name'>,
  main?: string,
): Promise<readonly [Hub, Hub]> {
  const hubs = [
    await openHub({ ...place, name: 'hub-a' }),
    await openHub({ ...place, name: 'hub-b' }),
  ] as const;
  for (const hub of hubs) await hub.start(main);
  return hubs;
}

/** Recomputes the books as the operator does; throws when they do not balance. */
export async function audit(databaseUrl: string, folder: string): Promise<string> {
  const cli = await program('server/cli.ts');
  const env = { HUB_DATABASE_URL: databaseUrl, HUB_DATA_DIR: join(folder, 'hub') };
  const text = await run([process.execPath, cli, 'audit'], env);
  return text.trim().split('\n').at(-1) ?? '';
}
