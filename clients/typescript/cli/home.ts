import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { textOf, UsageError, type Call } from './command.ts';

/**
 * The folder of an agent: its key, the payments with an unknown outcome, the hub's keys as first
 * seen, and receipts. Only its owner can read the files, and git ignores them.
 */
export interface Home {
  readonly folder: string;
  readonly keyFile: string;
  /** The hub's address, without a trailing slash. */
  readonly baseUrl: string;
}

const HUB_DEFAULT = 'http://127.0.0.1:4020';
const OWNER_ONLY = 0o600;

/** Throws UsageError when the hub is no address. */
export async function homeOf(call: Call): Promise<Home> {
  const { env } = call.io;
  const folder = textOf(call, 'home') ?? env['AGENT_HOME'] ?? '.hub';
  const keyFile = textOf(call, 'key') ?? env['AGENT_KEY'] ?? join(folder, 'agent.key');
  const kept = await readKept(join(folder, 'config.json'));
  const keptHub: unknown =
    typeof kept === 'object' && kept !== null ? Reflect.get(kept, 'hub') : undefined;
  const address =
    textOf(call, 'hub') ??
    env['AGENT_HUB'] ??
    (typeof keptHub === 'string' ? keptHub : (call.io.servedBy ?? HUB_DEFAULT));
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw new UsageError(`"${address}" is no address of a hub, such as https://hub.example`);
  }
  return { folder, keyFile, baseUrl: address.replace(/\/+$/, '') };
}

export async function makeHome({ folder }: Home): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, '.gitignore'), '*\n', { mode: OWNER_ONLY });
}

/** Only `hub init` calls this: --hub of another command is for that command alone. */
export function keepAddress({ folder, baseUrl }: Home): Promise<void> {
  return keep(join(folder, 'config.json'), { hub: baseUrl });
}

export function hubKeysFile({ folder, baseUrl }: Home): string {
  const { host, pathname } = new URL(baseUrl);
  const name = `${host}${pathname}`.replace(/\/$/, '').replace(/[^a-z0-9.-]/gi, '_');
  return join(folder, 'keys', `${name}.json`);
}

/** The JSON of a file; undefined when there is none. */
export async function readKept(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(`${path} is not JSON; move it away`);
  }
}

/** Writes JSON whole or not at all, for its owner alone. */
export async function keep(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.draft`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: OWNER_ONLY });
  await rename(draft, path);
}
