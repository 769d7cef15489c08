/**
 * Removal of secrets by their value (choices outbound.secrets). What the hub sends to another host
 * as a credential may come back in an answer or an error, in any field and in part.
 */
export const REDACTED = '[redacted]';

/** A part of a secret from this length on is removed; shorter parts are found in ordinary words. */
const PART_LENGTH = 8;
/** A shorter secret is removed as a whole, and only from texts that are no answers of a model. */
const WHOLE_LENGTH_MIN = 4;
/** The forms in which encoders write characters of a key: PHP, .NET, and percent-encoding. */
const FORMS: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => JSON.stringify(secret).slice(1, -1),
  (secret) => secret.replaceAll('/', '\\/'),
  (secret) => secret.replace(/[^A-Za-z0-9._~/=-]/g, escaped),
  encodeURIComponent,
];

/** Reads a text that comes in pieces; returns each piece without the parts of a secret. */
export type RedactedFlow = (piece: string) => string;

export class Redaction {
  readonly #parts = new Set<string>();
  readonly #wholes: readonly string[];
  /** The first two characters of all parts: most places of a text are skipped by this table. */
  readonly #starts = new Uint8Array(65_536);

  constructor(secrets: readonly string[]) {
    const forms = secrets.flatMap((secret) => FORMS.map((form) => form(secret)));
    for (const form of forms) {
      for (let at = 0; at + PART_LENGTH <= form.length; at += 1) {
        this.#parts.add(form.slice(at, at + PART_LENGTH));
        this.#starts[pairAt(form, at)] = 1;
      }
    }
    this.#wholes = forms.filter(({ length }) => length >= WHOLE_LENGTH_MIN && length < PART_LENGTH);
  }

  get isEmpty(): boolean {
    return this.#parts.size === 0 && this.#wholes.length === 0;
  }

  /** Redacts a text that is whole, such as an error or a line of the log. */
  text(text: string): string {
    const short = this.#wholes.reduce((rest, whole) => rest.replaceAll(whole, REDACTED), text);
    return this.flow()(short);
  }

  /** A part that was cut between two pieces is found too: at most seven characters of it pass. */
  flow(): RedactedFlow {
    let before = '';
    let isInside = false;
    return (piece) => {
      const text = before + piece;
      const from = before.length;
      before = text.slice(1 - PART_LENGTH);
      const { kept, endsInside } = this.#without(text, from, isInside);
      isInside = endsInside;
      return kept;
    };
  }

  /** Returns `text` from `from` on without the places that a part of a secret covers. */
  #without(text: string, from: number, startsInside: boolean): Without {
    let kept = '';
    let at = from;
    let covered = startsInside ? from : -1;
    for (let place = 0; place + PART_LENGTH <= text.length; place += 1) {
      if (!this.#isPart(text, place)) continue;
      const end = place + PART_LENGTH;
      if (end <= from) continue;
      const begin = Math.max(place, at);
      if (begin > covered) {
        kept += text.slice(at, begin) + REDACTED;
      }
      at = end;
      covered = end;
    }
    kept += text.slice(at);
    return { kept, endsInside: covered === text.length };
  }

  #isPart(text: string, at: number): boolean {
    return (
      this.#starts[pairAt(text, at)] === 1 && this.#parts.has(text.slice(at, at + PART_LENGTH))
    );
  }
}

interface Without {
  readonly kept: string;
  /** The text ended within a part that was removed. */
  readonly endsInside: boolean;
}

function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 0xff) << 8) | (text.charCodeAt(at + 1) & 0xff);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Headers by which the hub proves itself to another host. A payment is none: it pays one receiver. */
const CREDENTIAL_HEADERS = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'api-key',
  'x-api-key',
  'x-auth-token',
  'mcp-session-id',
] as const;

/** Returns the secrets of a request: its credentials, with and without the name of their scheme. */
export function secretsOfHeaders(headers: Readonly<Record<string, string>>): readonly string[] {
  return CREDENTIAL_HEADERS.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : credentialsIn(value);
  });
}

function credentialsIn(value: string): readonly string[] {
  const [, scheme = '', rest = ''] = /^(\S+)\s+(.+)$/.exec(value) ?? [];
  if (scheme === '') return [value];
  const pair = /^basic$/i.test(scheme) ? Buffer.from(rest, 'base64').toString() : '';
  return [rest, pair, pair.slice(pair.indexOf(':') + 1)].filter((each) => each !== '');
}

const QUERY_LENGTH_MIN = 8;
const PATH_LENGTH_MIN = 16;

/** Hosts of chain nodes and collectors take a key as a part of the address. */
export function secretsOfUrl(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
  const { username, password, pathname, searchParams } = new URL(url);
  const segments = pathname.split('/').filter(isKeyLike);
  const values = [...searchParams.values()].filter(({ length }) => length >= QUERY_LENGTH_MIN);
  const [name, word] = [username, password].map(decoded);
  return [
    ...segments,
    ...segments.map(decoded),
    ...values,
    word ?? '',
    isKeyLike(name) ? name : '',
  ].filter((each) => each !== '');
}

/** Words of a path have one case and no digits, or are short. */
function isKeyLike(text = ''): text is string {
  const isMixed = /\d/.test(text) || (/[a-z]/.test(text) && /[A-Z]/.test(text));
  return text.length >= PATH_LENGTH_MIN && isMixed;
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
