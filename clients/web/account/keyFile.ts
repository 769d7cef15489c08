/** Key files: the command line's plain secret, or a backup locked by PBKDF2 and AES-GCM. */
const KIND = 'agent-exchange-key/v1';
const HASH = 'SHA-256';
/** The number that OWASP recommends for PBKDF2 with SHA-256. */
const ITERATIONS = 600_000;
const ITERATIONS_MAX = 10_000_000;
const SECRET_BYTES = 32;
const SALT_BYTES = 16;
const IV_BYTES = 12;
export const PASSPHRASE_LENGTH_MIN = 12;

interface LockedFile {
  readonly kind: typeof KIND;
  readonly account: string;
  readonly iterations: number;
  readonly salt: string;
  readonly iv: string;
  readonly secret: string;
}

export type KeyFile =
  | { readonly is: 'plain'; readonly secret: Uint8Array }
  | { readonly is: 'locked'; readonly file: LockedFile }
  | { readonly is: 'none' };

export function keyFileOf(text: string): KeyFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { is: 'none' };
  }
  const secret = bytesOf(member(value, 'secretKey'));
  if (secret?.length === SECRET_BYTES) return { is: 'plain', secret };
  return isLocked(value) ? { is: 'locked', file: value } : { is: 'none' };
}

export async function lock(
  account: string,
  secret: Uint8Array,
  passphrase: string,
): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const key = await keyOf(passphrase, salt, ITERATIONS);
  const locked = await crypto.subtle.encrypt(cipher(iv, account), key, Uint8Array.from(secret));
  const file: LockedFile = {
    kind: KIND,
    account,
    iterations: ITERATIONS,
    salt: textOf(salt),
    iv: textOf(iv),
    secret: textOf(new Uint8Array(locked)),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

export async function unlock(
  file: LockedFile,
  passphrase: string,
): Promise<Uint8Array | undefined> {
  const [salt, iv, secret] = [file.salt, file.iv, file.secret].map(bytesOf);
  if (salt === undefined || iv === undefined || secret === undefined) return undefined;
  try {
    const key = await keyOf(passphrase, salt, file.iterations);
    return new Uint8Array(
      await crypto.subtle.decrypt(cipher(iv, file.account), key, Uint8Array.from(secret)),
    );
  } catch {
    return undefined;
  }
}

/** The account is bound to what is locked, so that a file cannot be passed off as another's. */
function cipher(iv: Uint8Array, account: string): AesGcmParams {
  return {
    name: 'AES-GCM',
    iv: Uint8Array.from(iv),
    additionalData: new TextEncoder().encode(account),
  };
}

async function keyOf(passphrase: string, salt: Uint8Array, iterations: number): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(passphrase.normalize('NFKC'));
  const word = await crypto.subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveKey']);
  const how = { name: 'PBKDF2', hash: HASH, salt: Uint8Array.from(salt), iterations };
  const made = { name: 'AES-GCM', length: 256 };
  return crypto.subtle.deriveKey(how, word, made, false, ['encrypt', 'decrypt']);
}

function isLocked(value: unknown): value is LockedFile {
  const iterations = member(value, 'iterations');
  return (
    member(value, 'kind') === KIND &&
    typeof iterations === 'number' &&
    Number.isInteger(iterations) &&
    iterations > 0 &&
    iterations <= ITERATIONS_MAX &&
    ['account', 'salt', 'iv', 'secret'].every((name) => typeof member(value, name) === 'string')
  );
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function textOf(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function bytesOf(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
