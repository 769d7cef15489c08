import type { components } from '../../generated/types.ts';
import type { Hub } from './hub.ts';
import { items } from './pages.ts';
import { HubRefusal, unwrap } from './refusal.ts';
import { pause } from './retry.ts';

export type FileReference = components['schemas']['FileReference'];

/** How a transfer in parts is seen and ended. */
export interface TransferOptions {
  /** Bytes of a part; a connection that was cut costs one of these at most. */
  readonly partBytes?: number;
  /** Receives the bytes that are there: first those of an earlier try, then after each part. */
  readonly onPart?: (done: number) => void;
  /** Ends the transfer; what arrived is kept for the next try. */
  readonly signal?: AbortSignal;
}

export interface FileOptions extends TransferOptions {
  /** Its kind as its readers see it, such as `application/pdf`. */
  readonly mediaType?: string;
}

/** A body has 30 s to arrive: over 2 Mbit/s this part does. */
const PART_BYTES = 4 * 1_048_576;
const TRIES_MAX = 5;
const FIRST_PAUSE_MS = 500;
const NEVER = new AbortController().signal;
/** Bytes that become letters at once: a multiple of three, within the arguments of a call. */
const LETTERS_STEP = 24_576;

/** A result with the files that belong to it, for `work` and `deliverResult`. */
export class WithFiles {
  readonly result: unknown;
  readonly files: readonly FileReference[];

  constructor(result: unknown, files: readonly FileReference[]) {
    this.result = result;
    this.files = files;
  }
}

/**
 * Stores a file of up to 32 MB and returns how a brief or a result names it. A larger one than a
 * part goes in parts, and a repeat sends only those that are missing. Throws HubRefusal.
 */
export async function storeFile(
  hub: Hub,
  key: string,
  content: Uint8Array,
  { partBytes = PART_BYTES, mediaType, onPart, signal = NEVER }: FileOptions = {},
): Promise<FileReference> {
  const owner = ownerOf(hub);
  const stated = mediaType === undefined ? {} : { mediaType };
  const store = (body: PutBody): Promise<FileReference> => put(hub, body, signal);
  if (content.length <= partBytes) {
    return { ...(await store({ owner, key, contentBase64: base64(content) })), ...stated };
  }
  const prefix = `${key}.part-`;
  const there = new Map<string, string>();
  const init = { params: { path: { owner }, query: { prefix } } };
  for await (const file of items(hub, '/api/v1/files/{owner}', 'files', init)) {
    there.set(file.key, file.sha256);
  }
  const parts: { readonly key: string; readonly sha256: string }[] = [];
  const missing: Uint8Array[] = [];
  for (let at = 0; at < content.length; at += partBytes) {
    const bytes = content.subarray(at, at + partBytes);
    const part = { key: `${prefix}${parts.length}`, sha256: await sha256(bytes) };
    if (there.get(part.key) !== part.sha256) missing[parts.length] = bytes;
    parts.push(part);
  }
  let done = missing.reduce((rest, bytes) => rest - bytes.length, content.length);
  onPart?.(done);
  for (const [place, { key: name }] of parts.entries()) {
    const bytes = missing[place];
    if (bytes === undefined) continue;
    signal.throwIfAborted();
    await store({ owner, key: name, contentBase64: base64(bytes) });
    onPart?.((done += bytes.length));
  }
  const stored = await store({ owner, key, parts });
  for (const part of parts) {
    const path = { owner, key: part.key };
    unwrap(await hub.POST('/api/v1/files/{owner}/{key}/delete', { params: { path } }));
  }
  return { ...stored, ...stated };
}

type PutBody = components['schemas']['FilesPutRequest'];

async function put(hub: Hub, body: PutBody, signal: AbortSignal): Promise<FileReference> {
  const { owner, key, sha256: digest } = unwrap(await hub.POST('/api/v1/files', { body, signal }));
  return { owner, key, sha256: digest };
}

/** The parts of a download that arrived. Given again, it goes on behind them. */
export interface DownloadOptions extends TransferOptions {
  readonly parts?: Uint8Array[];
}

/**
 * Reads a file of a task in parts, each asked for again where its connection was cut, and compares
 * the bytes with the digest. Throws HubRefusal.
 */
export async function taskFile(
  hub: Hub,
  taskId: string,
  digest: string,
  { partBytes = PART_BYTES, onPart, signal = NEVER, parts = [] }: DownloadOptions = {},
): Promise<Uint8Array> {
  let offset: number | undefined = parts.reduce((sum, { length }) => sum + length, 0);
  onPart?.(offset);
  while (offset !== undefined) {
    const query: { offset: number; length: number } = { offset, length: partBytes };
    const params = { path: { id: taskId, digest }, query };
    const part = await again(signal, async () =>
      unwrap(await hub.GET('/api/v1/tasks/{id}/files/{digest}', { params, signal })),
    );
    const bytes = bytesOf(part.contentBase64);
    parts.push(bytes);
    onPart?.(offset + bytes.length);
    offset = part.nextOffset;
  }
  const content = joined(parts);
  if ((await sha256(content)) !== digest) {
    parts.length = 0;
    throw new Error(`the bytes of the task ${taskId} do not have the digest ${digest}`);
  }
  return content;
}

/** Asks again after a cut: a refusal is no cut, and says what to do. */
async function again<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof HubRefusal || signal.aborted || tried === TRIES_MAX) throw error;
    }
    await pause(FIRST_PAUSE_MS * 2 ** (tried - 1), signal);
  }
}

function ownerOf({ account }: Hub): string {
  if (account === undefined) throw new TypeError('files are stored by an account: give a key');
  return account;
}

/** The digest by which a task names a file. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function base64(bytes: Uint8Array): string {
  const letters: string[] = [];
  for (let at = 0; at < bytes.length; at += LETTERS_STEP) {
    letters.push(btoa(String.fromCharCode(...bytes.subarray(at, at + LETTERS_STEP))));
  }
  return letters.join('');
}

function bytesOf(letters: string): Uint8Array {
  return Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
