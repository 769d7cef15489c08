import { isObject } from '../jsonObject.ts';
import type { Tokens } from './offer.ts';
import type { Usage } from './receipt.ts';

/**
 * Whose figures are billed. A provider's own are, unless they cannot be true: a token has at least
 * one byte, so nobody can have read more tokens than the prompt has bytes, or written more than the
 * answer has, and nobody writes more than was asked for. Then, and where a provider says nothing,
 * the hub's count stands.
 */
export interface Exchanged {
  readonly promptBytes: number;
  readonly answerBytes: number;
  readonly maxTokens: number;
  /** It also bills tokens that nobody sees. */
  readonly thinks: boolean;
}

/** What templates put around each message, in tokens. */
const AROUND = 64;

export function settleUsage(
  claimed: Tokens | undefined,
  counted: Tokens,
  { promptBytes, answerBytes, maxTokens, thinks }: Exchanged,
): Usage {
  const outputMax = thinks ? maxTokens : Math.min(maxTokens, answerBytes + AROUND);
  const isTrue =
    claimed !== undefined &&
    claimed.input > 0 &&
    claimed.input <= promptBytes + AROUND &&
    claimed.output <= outputMax &&
    (claimed.output > 0 || answerBytes === 0);
  if (isTrue) return { ...claimed, source: 'provider' };
  return { input: counted.input, output: Math.min(counted.output, maxTokens), source: 'counted' };
}

/** The usage of a chunk or completion; undefined when there is none that can be read. */
export function readUsage(value: unknown): Tokens | undefined {
  if (!isObject(value)) return undefined;
  const [input, output] = [value['prompt_tokens'], value['completion_tokens']];
  return isCount(input) && isCount(output) ? { input, output } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= 1e9;
}
