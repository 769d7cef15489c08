import { parseAccount, type Account } from '../account.ts';
import { defined } from '../defined.ts';
import { parseTextInSteps } from '../json.ts';
import { isObject } from '../jsonObject.ts';
import { instant, type Instant } from '../instant.ts';
import { IMPORT_LINES_MAX } from './limits.ts';
import { isMetadata, packMetadata } from './metadata.ts';
import type { NoteText } from './note.ts';

/** One line of an import that means something; lines that only describe are left out. */
export type ImportLine =
  | { readonly is: 'note'; readonly line: number; readonly note: NoteText }
  | {
      readonly is: 'grant';
      readonly line: number;
      readonly grantee: Account;
      readonly canWrite: boolean;
    };

export interface BadLine {
  readonly line: number;
  readonly why: string;
}

/** Members of a line; an export has fewer than ten. */
const MEMBERS_MAX = 64;

/** Reads an export, giving way between lines. Whether a note is allowed is judged elsewhere. */
export function* readLines(text: string): Generator<undefined, readonly ImportLine[] | BadLine> {
  const whole = text.trimEnd();
  const lines = whole === '' ? [] : whole.split('\n', IMPORT_LINES_MAX + 1);
  if (lines.length > IMPORT_LINES_MAX) {
    return {
      line: IMPORT_LINES_MAX + 1,
      why: `is one more than the ${IMPORT_LINES_MAX} of a call`,
    };
  }
  const read: ImportLine[] = [];
  for (const [n, line] of lines.entries()) {
    const found = yield* readLine(line, n + 1);
    yield;
    if (typeof found === 'string') return { line: n + 1, why: found };
    if (found !== undefined) read.push(found);
  }
  return read;
}

function* readLine(
  text: string,
  line: number,
): Generator<undefined, ImportLine | string | undefined> {
  const parsed = yield* parseTextInSteps(text, MEMBERS_MAX);
  if (!parsed.ok) return `is no JSON object: ${parsed.why.replace('the body', 'it')}`;
  const { value } = parsed;
  if (!isObject(value)) return 'is no JSON object';
  switch (value['line']) {
    case 'space':
    case 'end':
      return undefined;
    case 'note':
      return noteIn(value, line);
    case 'grant':
      return grantIn(value, line);
    default:
      return 'names no `line` of an export: space, note, grant or end';
  }
}

function noteIn(value: Readonly<Record<string, unknown>>, line: number): ImportLine | string {
  const { content, key, embeddingBase64: embedding, metadata, expiresAt } = value;
  if (typeof content !== 'string') return 'has no text as `content`';
  if (key !== undefined && typeof key !== 'string') return 'has a `key` that is no text';
  if (embedding !== undefined && typeof embedding !== 'string') {
    return 'has an `embeddingBase64` that is no text';
  }
  if (metadata !== undefined && !(isObject(metadata) && isMetadata(metadata))) {
    return 'has `metadata` that is not at most 16 texts, numbers and truths by name';
  }
  const until = expiresAt === undefined ? undefined : momentIn(expiresAt);
  if (expiresAt !== undefined && until === undefined) return 'has an `expiresAt` that is no moment';
  const facts = defined({ metadata: packMetadata(metadata), expiresAt: until });
  const note = { content, ...defined({ key }), ...(embedding && { embedding }), ...facts };
  return [content, key ?? ''].some(isBroken)
    ? 'holds a lone surrogate or U+0000'
    : { is: 'note', line, note };
}

function grantIn(value: Readonly<Record<string, unknown>>, line: number): ImportLine | string {
  const { grantee, canWrite } = value;
  const account = typeof grantee === 'string' ? parseAccount(grantee) : undefined;
  if (account === undefined || !/^(key|evm):/.test(account)) return 'has no account as `grantee`';
  return { is: 'grant', line, grantee: account, canWrite: canWrite === true };
}

function momentIn(value: unknown): Instant | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(ms) ? undefined : instant(ms);
}

/** Whether a database cannot store it as text. */
function isBroken(text: string): boolean {
  return /\0|\p{Surrogate}/u.test(text);
}
