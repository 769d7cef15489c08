/**
 * Checkpoints as signed notes (C2SP signed-note, tlog-checkpoint, tlog-cosignature): text only. The
 * bytes to hash or sign are returned, so the hub, its clients and browsers share this.
 */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  /** The 32 bytes of the root. */
  readonly root: Uint8Array;
}

export interface NoteSignature {
  readonly name: string;
  /** Four bytes in hex that name the key. */
  readonly keyHash: string;
  readonly signature: Uint8Array;
}

export interface SignedCheckpoint extends Checkpoint {
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** The first byte of a public key: what its signatures are of. */
export const LOG_KEY = 1;
export const WITNESS_KEY = 4;

export interface VerifierKey {
  readonly name: string;
  readonly keyHash: string;
  readonly type: number;
  readonly publicKey: Uint8Array;
}

const HASH_BYTES = 32;
const KEY_HASH_BYTES = 4;
/** A cosignature has eight bytes of time and the Ed25519 signature. */
const COSIGNATURE_BYTES = 72;
const NOTE_LENGTH_MAX = 65_536;
const SIGNATURES_MAX = 64;
const NAME = /^[^\s+]+$/u;
const SIZE = /^(0|[1-9][0-9]{0,15})$/;
const LINE = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u;

function isKeyName(text: string): boolean {
  return NAME.test(text) && isClean(text);
}

/** Whether a text has no control characters but line feeds, and was valid UTF-8. */
function isClean(text: string): boolean {
  return ![...text].some((each) => (each < ' ' && each !== '\n') || each === '\ufffd');
}

export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${base64(root)}\n`;
}

/** Undefined for a text that is no checkpoint; nothing of it is proved yet. */
export function readCheckpoint(note: string): SignedCheckpoint | undefined {
  if (note.length > NOTE_LENGTH_MAX || !note.endsWith('\n') || !isClean(note)) return undefined;
  const cut = note.lastIndexOf('\n\n');
  if (cut < 0) return undefined;
  const text = note.slice(0, cut + 1);
  const lines = note.slice(cut + 2, -1).split('\n');
  if (lines.length > SIGNATURES_MAX) return undefined;
  const signatures = lines.map(readSignature);
  const [origin, size, root, ...more] = text.slice(0, -1).split('\n');
  const hash = root === undefined ? undefined : bytesOf(root);
  const isWhole = more.every((line) => line !== '') && Number(size) <= Number.MAX_SAFE_INTEGER;
  if (origin === undefined || origin === '' || !SIZE.test(size ?? '') || !isWhole) return undefined;
  if (hash?.length !== HASH_BYTES || !signatures.every((each) => each !== undefined))
    return undefined;
  return { origin, size: Number(size), root: hash, text, signatures };
}

export function readSignature(line: string): NoteSignature | undefined {
  const [, name = '', encoded = ''] = LINE.exec(line) ?? [];
  const bytes = bytesOf(encoded);
  if (!isKeyName(name) || bytes === undefined || bytes.length <= KEY_HASH_BYTES) return undefined;
  const keyHash = hex(bytes.subarray(0, KEY_HASH_BYTES));
  return { name, keyHash, signature: bytes.subarray(KEY_HASH_BYTES) };
}

export function signatureLine({ name, keyHash, signature }: NoteSignature): string {
  return `— ${name} ${base64(Uint8Array.of(...fromHex(keyHash), ...signature))}\n`;
}

/** The first four bytes of the SHA-256 of these are the hash of the key. */
export function keyHashInput(name: string, type: number, publicKey: Uint8Array): Uint8Array {
  return Uint8Array.of(...new TextEncoder().encode(`${name}\n`), type, ...publicKey);
}

/** `name+hash+base64`: how a key is handed to those who verify with it. */
export function verifierKeyText({ name, keyHash, type, publicKey }: VerifierKey): string {
  return `${name}+${keyHash}+${base64(Uint8Array.of(type, ...publicKey))}`;
}

/** Undefined when it has not the form; whether the hash is that of the key is for the caller. */
export function readVerifierKey(text: string): VerifierKey | undefined {
  const [, name = '', keyHash = '', encoded = ''] =
    /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/u.exec(text) ?? [];
  const bytes = bytesOf(encoded);
  const type = bytes?.[0];
  if (!isKeyName(name) || bytes?.length !== HASH_BYTES + 1 || type === undefined) return undefined;
  return { name, keyHash, type, publicKey: bytes.subarray(1) };
}

export interface Cosignature {
  /** Seconds since 1970. */
  readonly seconds: number;
  readonly signature: Uint8Array;
}

export function readCosignature(bytes: Uint8Array): Cosignature | undefined {
  if (bytes.length !== COSIGNATURE_BYTES) return undefined;
  const seconds = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
  if (!Number.isSafeInteger(seconds)) return undefined;
  return { seconds, signature: bytes.subarray(8) };
}

export function cosignatureBytes({ seconds, signature }: Cosignature): Uint8Array {
  const bytes = new Uint8Array(COSIGNATURE_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(seconds));
  bytes.set(signature, 8);
  return bytes;
}

export function cosignedText(text: string, seconds: number): string {
  return `cosignature/v1\ntime ${seconds}\n${text}`;
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Undefined for a text that is not the one way to write its bytes. */
function bytesOf(text: string): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return base64(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(text: string): readonly number[] {
  return (text.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
}
