import { JSON_MEMBERS_MAX, scanJson, type JsonFault } from './jsonScan.ts';

/**
 * Inbound JSON is I-JSON (RFC 7493) or it is refused: one text has one value for every reader, so
 * every client can recompute the digests that the hub takes over it (choices tasks.terms,
 * threats.bombs, threats.hash-ambiguity). One linear scan over the text counts it and finds what
 * `JSON.parse` accepts beyond that; `JSON.parse` then builds the value.
 */
export type ParsedJson = { readonly ok: true; readonly value: unknown } | JsonFault;

const LONE_SURROGATE = /\p{Surrogate}/u;
const BOM = 0xfeff;
/** Bytes, and then characters, that one step reads: at most some milliseconds. */
const STEP_LENGTH = 32_768;
const UTF_8 = { fatal: true, ignoreBOM: true };
/** For texts that come whole: it keeps nothing from one to the next. */
const WHOLE = new TextDecoder('utf-8', UTF_8);

/** Parses the exact bytes of a body; refuses all that two readers could understand differently. */
export function parseJson(bytes: Uint8Array, membersMax = JSON_MEMBERS_MAX): ParsedJson {
  const steps = parseJsonInSteps(bytes, membersMax);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same, giving way after every few milliseconds of work (threats.stalled-loop). */
export function* parseJsonInSteps(
  bytes: Uint8Array,
  membersMax = JSON_MEMBERS_MAX,
): Generator<undefined, ParsedJson> {
  const text = yield* decode(bytes);
  if (text === undefined) return { ok: false, why: 'the body is not valid UTF-8' };
  return yield* parseTextInSteps(text, membersMax);
}

export function* parseTextInSteps(
  text: string,
  membersMax = JSON_MEMBERS_MAX,
): Generator<undefined, ParsedJson> {
  if (text.charCodeAt(0) === BOM) return { ok: false, why: 'the body begins with a BOM' };
  const scan = scanJson(text, membersMax);
  for (;;) {
    const seen = scan.step(STEP_LENGTH);
    if (seen === 'clear') break;
    if (seen !== 'more') return seen;
    yield;
  }
  try {
    if (text.length > STEP_LENGTH) yield;
    const value: unknown = JSON.parse(text);
    if (text.length > STEP_LENGTH) yield;
    return { ok: true, value };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, why: `the body is not JSON${position(error)}` };
  }
}

/** RFC 8785 (JCS) text of a JSON value; throws TypeError, a bug, on what JSON cannot carry. */
export function canonical(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return canonicalString(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`not a JSON number: ${value}`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${Array.from(value, canonical).join(',')}]`;
  if (typeof value !== 'object') throw new TypeError(`not a JSON value: ${typeof value}`);
  // `<` compares UTF-16 code units, which is the order RFC 8785 3.2.3 asks for.
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = members.map(([key, member]) => `${canonicalString(key)}:${canonical(member)}`);
  return `{${texts.join(',')}}`;
}

function canonicalString(text: string): string {
  if (LONE_SURROGATE.test(text)) throw new TypeError('a string holds a lone surrogate');
  return JSON.stringify(text);
}

function* decode(bytes: Uint8Array): Generator<undefined, string | undefined> {
  try {
    if (bytes.length <= STEP_LENGTH) return WHOLE.decode(bytes);
    const decoder = new TextDecoder('utf-8', UTF_8);
    const pieces: string[] = [];
    for (let at = 0; at < bytes.length; at += STEP_LENGTH) {
      pieces.push(decoder.decode(bytes.subarray(at, at + STEP_LENGTH), { stream: true }));
      yield;
    }
    return pieces.join('') + decoder.decode();
  } catch {
    return undefined;
  }
}

/** Engines word their messages differently and quote the body; only the offset is passed on. */
function position(error: SyntaxError): string {
  const found = /position (\d{1,12})/.exec(error.message)?.[1];
  return found === undefined ? '' : ` (offset ${found})`;
}
