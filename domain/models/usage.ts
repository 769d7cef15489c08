import { isObject } from '../jsonObject.ts';
import type { Tokens } from './offer.ts';
import type { Usage } from './receipt.ts';

/**
 * Decides whose figures are billed: the provider's, unless they cannot be true. A token has at
 * least one byte, so a provider cannot have read more tokens than the prompt has bytes, nor written
 * more than the answer has or than was asked for, apart from the marks of its template. Otherwise
 * the hub's count is billed.
 */
export interface Exchanged {
  readonly promptBytes: number;
  readonly answerBytes: number;
  readonly toolCalls: number;
  readonly maxTokens: number;
  /** It also bills tokens that are not shown. */
  readonly thinks: boolean;
}

export interface Claimed extends Tokens {
  /** Of the output, tokens of thought, where the provider counts them apart. */
  readonly thought?: number;
}

/** Tokens of templates: around a prompt, around an answer, and around each tool call of it. */
const AROUND_PROMPT = 64;
const AROUND_ANSWER = 4;
const AROUND_TOOL_CALL = 32;

export function settleUsage(
  claimed: Claimed | undefined,
  counted: Tokens,
  exchanged: Exchanged,
): Usage {
  const { maxTokens } = exchanged;
  if (claimed === undefined || !canBeTrue(claimed, exchanged)) {
    return { input: counted.input, output: Math.min(counted.output, maxTokens), source: 'counted' };
  }
  return { input: claimed.input, output: claimed.output, source: 'provider' };
}

function canBeTrue({ input, output, thought }: Claimed, exchanged: Exchanged): boolean {
  const { promptBytes, answerBytes, toolCalls, maxTokens, thinks } = exchanged;
  const shownMax = answerBytes + AROUND_ANSWER + toolCalls * AROUND_TOOL_CALL;
  const outputMax = thinks ? shownMax + (thought ?? maxTokens) : shownMax;
  return (
    input > 0 &&
    input <= promptBytes + AROUND_PROMPT &&
    output <= Math.min(maxTokens, outputMax) &&
    (output > 0 || answerBytes === 0)
  );
}

/** The usage of a chunk or completion; undefined when there is none that can be read. */
export function readUsage(value: unknown): Claimed | undefined {
  if (!isObject(value)) return undefined;
  const [input, output] = [value['prompt_tokens'], value['completion_tokens']];
  if (!isCount(input) || !isCount(output)) return undefined;
  const details = value['completion_tokens_details'];
  const thought = isObject(details) ? details['reasoning_tokens'] : undefined;
  return { input, output, ...(isCount(thought) && { thought }) };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= 1e9;
}
