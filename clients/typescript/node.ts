import { createHash, createPrivateKey, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createVerifier, generateKey, keyIdOfSecret, type GeneratedKey } from './index.ts';
import type { KeptCall, KeyStore, Verifier } from './index.ts';
import { isForgotten } from './once.ts';
import { nodeCrypto } from './verify/nodeCrypto.ts';

/** The parts for Node: files of keys and of calls that outlive a crash, and OpenSSL's verifier. */
const OWNER_ONLY = 0o600;
const SECRET_BYTES = 32;

interface KeyFile {
  readonly keyId: string;
  /** Base64 of the 32-byte seed. */
  readonly secretKey: string;
}

/** The same checks as the main entry's `verify`, about ten times as fast. */
export const verify: Verifier = createVerifier(nodeCrypto);

export const keys = { generate: generateKey, load, save, loadOrGenerate };

/**
 * Reads a key file, or a PEM of PKCS #8 such as `hub-key.pem` of the quickstart. Throws when it is
 * missing, readable by others, or not a key.
 */
async function load(path: string): Promise<GeneratedKey> {
  const { mode } = await stat(path);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new Error(`${path} is open to others; they could use the account: chmod 600`);
  }
  const text = await readFile(path, 'utf8');
  if (text.trimStart().startsWith('-----BEGIN')) return keyOfPem(text, path);
  const file: unknown = jsonOf(text);
  if (!isKeyFile(file)) throw new Error(`${path} is no key file`);
  const secretKey = Uint8Array.from(Buffer.from(file.secretKey, 'base64'));
  if (secretKey.length !== SECRET_BYTES || (await keyIdOfSecret(secretKey)) !== file.keyId) {
    throw new Error(`the secret in ${path} is not the key ${file.keyId}`);
  }
  return { secretKey, keyId: file.keyId, account: `key:${file.keyId}` };
}

async function keyOfPem(pem: string, path: string): Promise<GeneratedKey> {
  const secretKey = Uint8Array.from(Buffer.from(seedOf(pem, path), 'base64url'));
  const keyId = await keyIdOfSecret(secretKey);
  return { secretKey, keyId, account: `key:${keyId}` };
}

function seedOf(pem: string, path: string): string {
  try {
    const { crv, d } = createPrivateKey(pem).export({ format: 'jwk' });
    if (crv === 'Ed25519' && d !== undefined) return d;
  } catch {
    // OpenSSL's own words may quote the file.
  }
  throw new Error(`${path} is no ed25519 key in PEM without a password`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Writes a key file for its owner alone; throws when it exists, for a lost key is lost money. */
async function save(path: string, key: Pick<GeneratedKey, 'keyId' | 'secretKey'>): Promise<void> {
  const secretKey = Buffer.from(key.secretKey).toString('base64');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeWhole(path, { keyId: key.keyId, secretKey }, 'wx');
}

async function loadOrGenerate(path: string): Promise<GeneratedKey> {
  try {
    return await load(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const key = await generateKey();
  await save(path, key);
  return key;
}

export interface FileKeys extends KeyStore {
  /** Calls whose outcome is not known: send each with `follow(hub, call)`; none happens twice. */
  pending(): Promise<readonly KeptCall[]>;
}

/** Keeps each once-only call as a file in `folder` until its outcome is known. */
export async function fileKeys(folder: string): Promise<FileKeys> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const fileOf = (key: string): string =>
    join(folder, `${createHash('sha256').update(key).digest('hex')}.json`);
  return {
    begin: async (_path, body) => ({ body, isRepeated: await isFile(fileOf(keyOf(body))) }),
    put: async (key, call) => {
      const draft = join(folder, `${randomUUID()}.draft`);
      await writeWhole(draft, call, 'wx');
      await rename(draft, fileOf(key));
      await syncFolder(folder);
    },
    done: (key) => rm(fileOf(key), { force: true }),
    pending: async () => {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
      const calls: KeptCall[] = [];
      for (const file of names.map((name) => join(folder, name))) {
        const call = await readCall(file);
        if (isForgotten(call, Date.now())) await rm(file, { force: true });
        else calls.push(call);
      }
      return calls;
    },
  };
}

const keyOf = ({ idempotencyKey }: KeptCall['body']): string => String(idempotencyKey);

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function readCall(path: string): Promise<KeptCall> {
  const call: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!isKeptCall(call)) throw new Error(`${path} is no kept call`);
  return call;
}

/** On the disk, not only in its cache, when the promise resolves. */
async function writeWhole(path: string, value: unknown, flags: string): Promise<void> {
  const file = await open(path, flags, OWNER_ONLY);
  try {
    await file.writeFile(`${JSON.stringify(value)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename is durable once its folder is; Windows opens no folders and does this by itself. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isKeyFile(value: unknown): value is KeyFile {
  return hasText(value, 'keyId') && hasText(value, 'secretKey');
}

function isKeptCall(value: unknown): value is KeptCall {
  return hasText(value, 'path') && Reflect.get(value, 'method') === 'POST' && 'body' in value;
}

function hasText(value: unknown, name: string): value is object {
  return (
    typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'string'
  );
}
