import { randomUUID } from 'node:crypto';
import { isExact } from '../../domain/decimal.ts';

/**
 * JSON of agents that goes on to a caller. A number that a double would change (an id of 64 bits, an
 * amount in wei) is an `ExactNumber`, which `exactText` writes as it came (choices router.calls).
 */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The digits as a string, unless `exactText` asks: never another number. */
  toJSON(): string {
    return writing === undefined ? this.text : (writing.mark ??= randomUUID()) + this.text;
  }
}

/** The text that is being written, and what marks its exact numbers until it is complete. */
let writing: { mark?: string } | undefined;

/** `JSON.stringify`, with exact numbers in the digits in which they came. */
export function exactText(value: unknown): string {
  const own: { mark?: string } = {};
  const outer = writing;
  writing = own;
  try {
    const text = JSON.stringify(value);
    if (own.mark === undefined) return text;
    return text.replaceAll(new RegExp(`"${own.mark}(-?[0-9.eE+-]+)"`, 'g'), '$1');
  } finally {
    writing = outer;
  }
}

/** Fewer digits than these, without an exponent, are always exact. */
const MAYBE_INEXACT = /[0-9][eE]|[0-9.]{16}/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The text of a parsed JSON value once more, with exact numbers; throws where `JSON.parse` does. */
export function parseExactly(text: string): unknown {
  const plain: unknown = JSON.parse(text);
  if (!MAYBE_INEXACT.test(text)) return plain;
  const mark = randomUUID();
  let isMarked = false;
  const marked = text.replace(STRING_OR_NUMBER, (token) => {
    if (token.startsWith('"') || isExact(token)) return token;
    isMarked = true;
    return `"${mark}${token}"`;
  });
  if (!isMarked) return plain;
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark)
      ? new ExactNumber(value.slice(mark.length))
      : value,
  );
}
