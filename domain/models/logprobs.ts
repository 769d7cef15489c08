import { isObject, listOf, type JsonObject } from '../jsonObject.ts';
import type { Logprobs } from './piece.ts';

/**
 * Log probabilities of a choice. Some providers still have the older form, lists beside each other,
 * or one number beside the one token of the chunk; clients read the newer form alone.
 */
export function readLogprobs(choice: JsonObject, text: string): Logprobs | undefined {
  const { logprobs: given, top_logprobs: top } = choice;
  if (typeof given === 'number') return { content: [entryOf(text, given, top)] };
  if (!isObject(given)) return undefined;
  const [newer, refusal] = [listOf(given['content']), listOf(given['refusal'])];
  const content = newer.length > 0 ? newer : olderEntries(given);
  if (content.length === 0 && refusal.length === 0) return undefined;
  return { ...(content.length > 0 && { content }), ...(refusal.length > 0 && { refusal }) };
}

function olderEntries(given: JsonObject): readonly JsonObject[] {
  const [figures, tops] = [listOf(given['token_logprobs']), listOf(given['top_logprobs'])];
  return listOf(given['tokens']).flatMap((token, n) =>
    typeof token === 'string' ? [entryOf(token, figures[n], tops[n])] : [],
  );
}

function entryOf(token: string, figure: unknown, top: unknown): JsonObject {
  const others = Object.entries(isObject(top) ? top : {});
  return {
    token,
    // The first token of a text has none in the older form.
    logprob: typeof figure === 'number' ? figure : 0,
    bytes: null,
    top_logprobs: others.map(([each, logprob]) => ({ token: each, logprob, bytes: null })),
  };
}
