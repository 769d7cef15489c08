import { parseAccount, type Account } from '../account.ts';
import { IMPORT_LINES_MAX } from './limits.ts';
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

/** Reads lines of an export. What a note may be is judged where every note is. */
export function readLines(text: string): readonly ImportLine[] | BadLine {
  const lines = text.split('\n').map((line) => line.trim());
  while (lines.at(-1) === '') lines.pop();
  if (lines.length > IMPORT_LINES_MAX) {
    return {
      line: IMPORT_LINES_MAX + 1,
      why: `is one more than the ${IMPORT_LINES_MAX} of a call`,
    };
  }
  const read: ImportLine[] = [];
  for (const [n, line] of lines.entries()) {
    const found = readLine(line, n + 1);
    if (typeof found === 'string') return { line: n + 1, why: found };
    if (found !== undefined) read.push(found);
  }
  return read;
}

function readLine(text: string, line: number): ImportLine | string | undefined {
  const value = objectIn(text);
  if (value === undefined) return 'is no JSON object';
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
  const { content, key, embeddingBase64: embedding } = value;
  if (typeof content !== 'string') return 'has no text as `content`';
  if (key !== undefined && typeof key !== 'string') return 'has a `key` that is no text';
  if (embedding !== undefined && typeof embedding !== 'string') {
    return 'has an `embeddingBase64` that is no text';
  }
  const note = { content, ...(key !== undefined && { key }), ...(embedding && { embedding }) };
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

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** What no database keeps as text. */
function isBroken(text: string): boolean {
  return /\0|\p{Surrogate}/u.test(text);
}
