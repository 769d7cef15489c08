import type { Exchange, Answer } from '../middleware/exchange.ts';

/** Ids are all that is taken from a path or an answer, so no text comes into the log. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NAMED = /"(?:id|[a-zA-Z]{1,20}Id)": ?"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/g;
const IDS_MAX = 6;
const LETTERS_MAX = 4_096;

/** Ids of the tasks, transfers and other things that a request named or made; undefined without any. */
export function touchedIds(
  { path, method }: Pick<Exchange, 'path' | 'method'>,
  { status, body }: Pick<Answer, 'status' | 'body'>,
): readonly string[] | undefined {
  const named = Object.values(path).filter((value) => UUID.test(value));
  // An answer to a read names what is listed, and not what was touched.
  const isMade = method !== 'GET' && status < 300;
  const ids = new Set([...named, ...(isMade ? idsIn(headOf(body)) : [])]);
  return ids.size === 0 ? undefined : [...ids].slice(0, IDS_MAX);
}

function headOf(body: Answer['body']): string {
  if (typeof body === 'string') return body.slice(0, LETTERS_MAX);
  return Buffer.isBuffer(body) ? body.toString('latin1', 0, LETTERS_MAX) : '';
}

function idsIn(text: string): readonly string[] {
  return [...text.matchAll(NAMED)].flatMap(([, id]) => id ?? []);
}
