import { FINISH_REASONS, type FinishReason } from './receipt.ts';

/** Words of providers for an answer that was broken off. */
const BROKEN_OFF =
  /^(?:error|abort(?:ed)?|cancel(?:led|ed)?|timeout|network_error|insufficient_system_resource|malformed_function_call|other_error)$/i;

/** Words of providers for the four reasons; an answer that ended by another ended by itself. */
const NAMED: readonly (readonly [RegExp, FinishReason])[] = [
  [/length|max_?tokens|token_?limit/i, 'length'],
  [/tool|function_?call/i, 'tool_calls'],
  [
    /filter|safety|sensitive|blocked|blocklist|prohibited|recitation|spii|toxic|refusal/i,
    'content_filter',
  ],
];

/** Returns the reason why an answer ended, or undefined when it was broken off. */
export function finishOf(word: string): FinishReason | undefined {
  if (BROKEN_OFF.test(word)) return undefined;
  const exact = FINISH_REASONS.find((each) => each === word);
  return exact ?? NAMED.find(([words]) => words.test(word))?.[1] ?? 'stop';
}
