import { base64 } from './base.ts';
import { rawDictionary } from './dictionary.ts';
import type { Hashes } from './hashes.ts';
import type { Fields } from './message.ts';
import { refusal, type Refusal } from './refusal.ts';

const NAME = 'content-digest';

interface NamedDigests {
  readonly short: string | undefined;
  readonly long: string | undefined;
}

/** The digests that the header names, as it writes them, or what is wrong with the header. */
export function namedDigests(fields: Fields): NamedDigests | Refusal {
  const [text, ...more] = fields.get(NAME) ?? [];
  if (text === undefined) return mismatch('the Content-Digest header is missing');
  if (more.length > 0) return mismatch('the header Content-Digest was sent more than once');
  const digests = rawDictionary('Content-Digest', text);
  if (!digests.ok) return mismatch(digests.why);
  const [short, long] = [digests.members.get('sha-256'), digests.members.get('sha-512')];
  if (short === undefined && long === undefined) {
    return mismatch('Content-Digest has neither sha-256 nor sha-512');
  }
  return { short, long };
}

/** Undefined when the header describes these bytes exactly. */
export function digestRefusal(
  fields: Fields,
  body: Uint8Array,
  { sha256, sha512 }: Hashes,
): Refusal | undefined {
  const named = namedDigests(fields);
  if ('reason' in named) return named;
  const { short, long } = named;
  // The canonical text is compared, so padding, alphabet and spare bits need no rules of their own.
  if (short !== undefined && short !== `:${base64(sha256(body))}:`) {
    return mismatch('sha-256 in Content-Digest is not the digest of the bytes received');
  }
  if (long !== undefined && long !== `:${base64(sha512(body))}:`) {
    return mismatch('sha-512 in Content-Digest is not the digest of the bytes received');
  }
  return undefined;
}

function mismatch(detail: string): Refusal {
  return refusal('digest-mismatch', detail, NAME);
}
