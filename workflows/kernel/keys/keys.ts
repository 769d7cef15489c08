import type { Logger } from 'pino';
import {
  enterFirstKey,
  enterNextKey,
  hubKeyRows,
  signingKey,
  type HubKeyRow,
} from '../../../db/time/hubKeys.ts';
import type { Store } from '../../../db/store.ts';
import type { KeyId } from '../../../domain/account.ts';
import type { HubKey } from './ed25519.ts';
import { HubError } from '../errors.ts';
import { StartError } from '../startError.ts';
import type { Clock } from '../clock.ts';
import { dropKeyFile, keyFile, makeKeyFile, readKeyFile } from './keyFiles.ts';

/**
 * The keys that the hub itself signs with. The database says which key counts when, files of the
 * data folder hold the secrets; processes that share a database share both.
 */
export interface Keys {
  /** The key that signs now; refuses with `busy` when this process does not have its file. */
  current(): HubKey;
  /** Whether this process has the file of the key that signs now. */
  canSign(): boolean;
  /** A key of the hub, also a retired one, when its file is here. */
  find(keyId: KeyId): HubKey | undefined;
  /** Looks for keys that were entered or announced by another process. */
  refresh(): Promise<void>;
}

export interface KeyPlace {
  readonly store: Store;
  readonly dataDir: string;
  readonly clock: Clock;
}

/**
 * Opens the keys, and makes the first one of a new database. Throws when the file of the key that
 * signs is missing: a hub that made another in its place would fork its own chain.
 */
export async function openKeys(place: KeyPlace, log: Logger): Promise<Keys> {
  const { store, dataDir } = place;
  const held = new Map<KeyId, HubKey>();
  const load = async (rows: readonly HubKeyRow[]): Promise<KeyId | undefined> => {
    for (const { keyId } of rows) {
      const key = held.get(keyId) ?? (await readKeyFile(dataDir, keyId));
      if (key !== undefined) held.set(keyId, key);
    }
    return signingKey(rows);
  };
  const read = (): Promise<readonly HubKeyRow[]> => store.read(hubKeyRows);
  let rows = await read();
  if (rows.length === 0) {
    await makeFirstKey(place);
    rows = await read();
  }
  let signing = await load(rows);
  if (signing === undefined || !held.has(signing)) throw noFile(dataDir, signing);
  const found = (): HubKey | undefined => (signing === undefined ? undefined : held.get(signing));
  return {
    canSign: () => found() !== undefined,
    current() {
      const key = found();
      if (key !== undefined) return key;
      throw new HubError('busy', { error: 'This process of the hub cannot sign yet.' }, {});
    },
    find: (keyId) => held.get(keyId),
    async refresh() {
      const before = signing;
      signing = await load(await read());
      if (signing !== before && (signing === undefined || !held.has(signing))) {
        log.error(missing(dataDir, signing));
      }
    },
  };
}

/** @throws StartError when this database signs with a key whose file is missing or another's. */
export async function mustHaveKeyFile(rows: readonly HubKeyRow[], dataDir: string): Promise<void> {
  if (rows.length === 0) return;
  const signing = signingKey(rows);
  const key = signing && (await readKeyFile(dataDir, signing));
  if (key === undefined) throw noFile(dataDir, signing);
}

const noFile = (dataDir: string, keyId: KeyId | undefined): StartError =>
  new StartError(missing(dataDir, keyId));

function missing(dataDir: string, keyId: KeyId | undefined): string {
  if (keyId === undefined) return 'the database names no key that signs';
  const file = keyFile(dataDir, keyId);
  return `this database signs with the key ${keyId}, and ${file} is missing; copy it from the data folder of the process that made it (HUB_DATA_DIR)`;
}

async function makeFirstKey({ store, dataDir, clock }: KeyPlace): Promise<void> {
  const { keyId } = await makeKeyFile(dataDir);
  const first = await store.write((tx) => enterFirstKey(tx, keyId, clock.now()));
  if (!first) await dropKeyFile(dataDir, keyId);
}

/** Makes the key that the next pulse announces (choices time.keys); undefined while one waits. */
export async function makeNextKey({ store, dataDir, clock }: KeyPlace): Promise<KeyId | undefined> {
  const { keyId } = await makeKeyFile(dataDir);
  const entered = await store.write((tx) => enterNextKey(tx, keyId, clock.now()));
  if (entered) return keyId;
  await dropKeyFile(dataDir, keyId);
  return undefined;
}
