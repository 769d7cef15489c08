import { join } from 'node:path';
import { createHub, unwrap, type GeneratedKey, type Hub } from '../index.ts';
import { fileKeys, keys, type FileKeys } from '../node.ts';
import { UsageError, type Call } from './command.ts';
import { homeOf, hubKeysFile, keep, makeHome, readKept, type Home } from './home.ts';
import { defined } from '../../../domain/defined.ts';

export interface Session {
  readonly hub: Hub;
  readonly home: Home;
  readonly pending: FileKeys;
}

/** A hub whose calls are signed. Throws UsageError when there is no key yet. */
export async function openSession(call: Call): Promise<Session> {
  const home = await homeOf(call);
  const key = await signingKey(call);
  const pending = await fileKeys(join(home.folder, 'pending'));
  return { home, pending, hub: createHub({ baseUrl: home.baseUrl, key, keepKeys: pending }) };
}

/** The key of the folder. Throws UsageError when there is none yet. */
export async function signingKey(call: Call): Promise<GeneratedKey> {
  const { keyFile } = await homeOf(call);
  return keys.load(keyFile).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    throw new UsageError(`there is no key at ${keyFile}; "hub init" makes one`);
  });
}

/** The same, with the key and the folder made when they are missing; says whether it made a key. */
export async function makeSession(call: Call): Promise<Session & { readonly isNew: boolean }> {
  const home = await homeOf(call);
  const isNew = await keys.load(home.keyFile).then(
    () => false,
    (error: unknown) => {
      if (!isMissing(error)) throw error;
      return true;
    },
  );
  await makeHome(home);
  await keys.loadOrGenerate(home.keyFile);
  return { ...(await openSession(call)), isNew };
}

export async function openReader(call: Call): Promise<Hub> {
  const home = await homeOf(call);
  const key = await keys.load(home.keyFile).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return undefined;
  });
  return createHub({ baseUrl: home.baseUrl, ...defined({ key }) });
}

/** The account that the key signs for; a key that was bound signs for another's. */
export async function ownerOf(hub: Hub): Promise<string> {
  return unwrap(await hub.GET('/api/v1/me')).owner;
}

/**
 * The hub's keys as this folder first met them: later signatures are checked under these, so a hub
 * cannot be exchanged unseen. The list is read again as long as every kept key is still in it.
 */
export async function hubKeys({ hub, home }: Pick<Session, 'hub' | 'home'>): Promise<unknown> {
  const file = hubKeysFile(home);
  const kept = await readKept(file);
  const now: unknown = unwrap(await hub.GET('/keys', { headers: { accept: 'application/json' } }));
  const [old, fresh] = [idsOf(kept), idsOf(now)];
  if (!old.every((id) => fresh.includes(id))) {
    throw new UsageError(
      `${home.baseUrl} no longer has the keys that were kept in ${file}: it is another hub, or it` +
        ' was set up again. Remove that file when you trust it',
    );
  }
  if (fresh.length > old.length) await keep(file, now);
  return fresh.length > old.length ? now : kept;
}

function idsOf(list: unknown): readonly unknown[] {
  const found: unknown = typeof list === 'object' && list !== null ? Reflect.get(list, 'keys') : [];
  return Array.isArray(found)
    ? found.map((key: unknown): unknown =>
        typeof key === 'object' && key !== null ? Reflect.get(key, 'keyId') : undefined,
      )
    : [];
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
