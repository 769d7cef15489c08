import { existsSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { isConsistent, isSame } from '../../clients/typescript/verify/merkle.ts';
import { signatureOf } from '../../clients/typescript/verify/log.ts';
import { nodeCrypto } from '../../clients/typescript/verify/nodeCrypto.ts';
import {
  cosignatureBytes,
  cosignedText,
  LOG_KEY,
  readCheckpoint,
  readVerifierKey,
  signatureLine,
  WITNESS_KEY,
  type SignedCheckpoint,
  type VerifierKey,
} from '../../domain/log/note.ts';
import { isSound, namedKey, verifierKey } from '../../domain/log/signing.ts';
import { tilePath, widthIn } from '../../domain/log/tilePath.ts';
import { EMPTY_ROOT } from '../../domain/time/merkle.ts';
import {
  consistencyFromTiles,
  rootFromTiles,
  tilesForConsistency,
  tilesForRoot,
  type Tile,
} from '../../domain/time/tiles.ts';
import type { HubKey } from '../../workflows/kernel/keys/ed25519.ts';
import { systemClock } from '../../workflows/kernel/systemClock.ts';
import { printable, type Command, type Print } from './command.ts';
import { optionsOf } from './options.ts';
import { getBytes, getText, postJson, Unreachable } from './witnessCalls.ts';
import { witnessKey } from './witnessKey.ts';

/**
 * `hubctl witness`: follows the log of another hub. It signs a checkpoint only when the log begins
 * with the last one that it signed, which it keeps in a file, and is the evidence of a fork.
 */
export const witness: Command = async (words, _, print) => {
  const options = readOptions(words);
  if (options === undefined) return undefined;
  const { name, keyFile, log, vkey, state, every } = options;
  const key = await witnessKey(keyFile);
  const stopping = new AbortController();
  const signals = every === undefined ? [] : (['SIGINT', 'SIGTERM'] as const);
  for (const signal of signals) process.once(signal, () => stopping.abort());
  print(`witness key: ${verifierKey(name, WITNESS_KEY, key.publicKey)}\n`);
  for (;;) {
    try {
      await follow({ name, key, log, vkey, state }, print);
    } catch (error) {
      if (error instanceof Misbehaviour) {
        print(`${error.message}\n`);
        return 1;
      }
      if (!(error instanceof Unreachable)) throw error;
      print(`${error.message}\n`);
      if (every === undefined) return 2;
    }
    if (every === undefined) return 0;
    await wait(every * 1000, undefined, { signal: stopping.signal }).catch(() => undefined);
    if (stopping.signal.aborted) return 0;
  }
};

/** The log has contradicted itself. No later run signs it before the operator has looked. */
class Misbehaviour extends Error {
  override readonly name = 'Misbehaviour';
}

interface Followed {
  readonly name: string;
  readonly key: HubKey;
  /** Address of the log, without a slash at its end. */
  readonly log: string;
  readonly vkey: VerifierKey;
  /** File of the last checkpoint that was signed. */
  readonly state: string;
}

/** Verifies the newest checkpoint against the last one, keeps it, signs it and hands it back. */
async function follow(followed: Followed, print: Print): Promise<void> {
  const { name, key, log, state, vkey } = followed;
  const note = await getText(`${log}/checkpoint`);
  const now = await trusted(note, vkey, `${log}/checkpoint`);
  const kept = existsSync(state) ? readFileSync(state, 'utf8') : undefined;
  if (kept !== undefined) {
    const before = await trusted(kept, vkey, state);
    await mustFollow(before, now, followed);
    if (now.size < before.size) {
      throw new Unreachable(
        `STALE: ${log}/checkpoint has ${now.size} leaves, and ${before.size} were signed. The larger tree begins with it, so it is an older checkpoint and no evidence; try again later.`,
      );
    }
  }
  // Kept before it is signed: a witness that forgets could sign two histories.
  await keep(state, note);
  const seconds = Math.floor(systemClock.now() / 1000);
  const signature = key.sign(Buffer.from(cosignedText(now.text, seconds)));
  const { keyHash } = namedKey(name, WITNESS_KEY, key.publicKey);
  const line = signatureLine({
    name,
    keyHash,
    signature: cosignatureBytes({ seconds, signature }),
  }).trimEnd();
  print(`size ${now.size} follows; ${line}\n`);
  const refusal = await postJson(`${log}/cosignatures`, { size: now.size, line });
  if (refusal !== undefined) print(`the log did not take it: ${printable(refusal)}\n`);
}

async function trusted(note: string, vkey: VerifierKey, from: string): Promise<SignedCheckpoint> {
  const read = readCheckpoint(note);
  if (read?.origin !== vkey.name) {
    throw new Unreachable(`${from} has no checkpoint of ${vkey.name}.`);
  }
  if ((await signatureOf(read, vkey, nodeCrypto)) === 'good') return read;
  throw new Unreachable(`${from}: the checkpoint is not signed by the key of --log-key.`);
}

/**
 * Returns once it is shown that of two checkpoints the larger begins with the smaller.
 * @throws Misbehaviour with the proof of a fork, Unreachable if the log serves no proof of either.
 */
async function mustFollow(
  before: SignedCheckpoint,
  now: SignedCheckpoint,
  { log, state }: Followed,
): Promise<void> {
  const [older, newer] = before.size <= now.size ? [before, now] : [now, before];
  const root = older.size === newer.size ? newer.root : await rootIn(newer, older.size, log);
  if (isSame(root, older.root)) return;
  throw new Misbehaviour(
    `FORK: the tree of ${newer.size} leaves does not begin with that of ${older.size}. ${state} and ${log}/checkpoint are both signed by the log: keep them, they prove it.`,
  );
}

/** The root of the first leaves of a signed tree, by tiles that lead to its own root. */
async function rootIn(newer: SignedCheckpoint, size: number, log: string): Promise<Uint8Array> {
  if (size === 0) return EMPTY_ROOT;
  const tiles = await tilesOf(log, size, newer.size);
  const root = rootFromTiles(size, tiles);
  const path = consistencyFromTiles(size, newer.size, tiles);
  if (await isConsistent({ size, root }, newer, path, nodeCrypto)) return root;
  // The log did not sign tiles: a cache may have spoilt them, so they prove nothing.
  throw new Unreachable(`${log}: the tiles are not those of the tree of ${newer.size} leaves.`);
}

async function tilesOf(log: string, before: number, after: number): Promise<readonly Tile[]> {
  const tiles: Tile[] = [];
  const names = [...tilesForConsistency(before, after), ...tilesForRoot(before)];
  const unique = new Map(names.map((name) => [`${name.level}/${name.tile}`, name]));
  for (const { level, tile } of unique.values()) {
    const width = widthIn(after, level, tile);
    const address = `${log}/tile/${level}/${tilePath({ tile, width })}`;
    const hashes = await getBytes(address, width * 32);
    tiles.push({ level, tile, hashes });
  }
  return tiles;
}

/** On the disk when the promise resolves, whole or not at all. */
async function keep(path: string, note: string): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(note);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

interface Options extends Omit<Followed, 'key'> {
  readonly keyFile: string;
  /** Seconds between two looks; one look when absent. */
  readonly every: number | undefined;
}

function readOptions(words: readonly string[]): Options | undefined {
  const names = ['--log', '--log-key', '--name', '--key', '--state', '--every'];
  const given = optionsOf(words, names);
  const [log, text, name] = [given?.get('--log'), given?.get('--log-key'), given?.get('--name')];
  const [keyFile, state] = [given?.get('--key'), given?.get('--state')];
  const every = given?.get('--every');
  const vkey = text === undefined ? undefined : readVerifierKey(text);
  if (log === undefined || !URL.canParse(log) || keyFile === undefined) return undefined;
  if (vkey?.type !== LOG_KEY || !isSound(vkey) || name === undefined) return undefined;
  if (!/^[^\s+]+$/u.test(name) || (every !== undefined && !/^[1-9]\d{0,5}$/.test(every))) {
    return undefined;
  }
  return {
    log: log.replace(/\/+$/, ''),
    vkey,
    name,
    keyFile,
    state: state ?? `${keyFile}.checkpoint`,
    every: every === undefined ? undefined : Number(every),
  };
}
