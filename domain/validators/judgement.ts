import { isObject } from '../jsonObject.ts';
import { shorten } from '../text.ts';
import { parseJson } from '../json.ts';
import type { Verdict } from './panel.ts';

/**
 * A judge's answer (Verdict call, choices validators.calls): JSON `{verdict, reason}`, or text that
 * begins with the word. Only a whole, plain word is a vote; the reason is one untrusted line.
 */
export interface Judgement {
  readonly verdict: Verdict;
  /** One line of at most 280 characters; empty when none was given. */
  readonly reason: string;
  /** Its chance that the verdict is right; absent when it stated none. */
  readonly confidenceBps?: number;
}

const REASON_LENGTH_MAX = 280;
const WORD = /^\s*(accepted|rejected)(?![\p{L}\p{N}_])[\s.,:;!-]*/iu;

/** The judgement in the body of an answer, or a sentence that says why there is none. */
export function readJudgement(body: Uint8Array): Judgement | string {
  const parsed = parseJson(body);
  if (!parsed.ok) return readWord(new TextDecoder().decode(body));
  const { value } = parsed;
  if (typeof value === 'string') return readWord(value);
  if (!isObject(value)) return 'The answer is JSON, and no object with a verdict.';
  const { verdict, reason, confidence } = value;
  if (verdict !== 'accepted' && verdict !== 'rejected') {
    return 'The verdict is neither "accepted" nor "rejected".';
  }
  if (reason !== undefined && reason !== null && typeof reason !== 'string') {
    return 'The reason is no text.';
  }
  const stated = confidence ?? undefined;
  if (stated !== undefined && !isShare(stated)) {
    return 'The confidence is no number from 0 to 1.';
  }
  return {
    verdict,
    reason: oneLine(reason ?? ''),
    ...(stated !== undefined && { confidenceBps: Math.round(stated * 10_000) }),
  };
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function readWord(text: string): Judgement | string {
  const [start, word] = WORD.exec(text) ?? [];
  if (start === undefined || word === undefined) {
    return 'The answer is neither JSON with a verdict nor text that begins with one.';
  }
  const verdict = word.toLowerCase() === 'accepted' ? 'accepted' : 'rejected';
  return { verdict, reason: oneLine(text.slice(start.length)) };
}

/** The first line without control characters, cut to size; U+0000 could not even be stored. */
function oneLine(text: string): string {
  const [first = ''] = text.trim().split(/[\r\n\u2028\u2029]/u);
  const plain = first.replace(/\p{C}/gu, ' ').trim();
  return shorten(plain, REASON_LENGTH_MAX);
}
