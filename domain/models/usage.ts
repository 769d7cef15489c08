import { isObject, type JsonObject } from '../jsonObject.ts';
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
  /** The part of the prompt that its account sent before, which alone is sold as cached. */
  readonly ownPart: number;
}

export interface Claimed extends Tokens {
  /** Tokens of thought in the output, where the provider counts them apart. */
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
  const { input, output, cached } = claimed;
  const most = Math.floor(input * exchanged.ownPart);
  const known = Math.min(cached ?? 0, most);
  return { input, output, source: 'provider', ...(known > 0 && { cached: known }) };
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
  const cached = cachedIn(value);
  return { input, output, ...(isCount(thought) && { thought }), ...(cached > 0 && { cached }) };
}

/** Tokens of the prompt from the provider's cache, under the names that providers use. */
function cachedIn(usage: JsonObject): number {
  const details = usage['prompt_tokens_details'];
  const named = isObject(details) ? details['cached_tokens'] : undefined;
  const cached = named ?? usage['prompt_cache_hit_tokens'] ?? usage['cached_tokens'];
  return isCount(cached) ? cached : 0;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= 1e9;
}
