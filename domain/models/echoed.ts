import type { Tokens } from './offer.ts';
import { contentTexts, overheadOf, textsOf, type Prompt } from './prompt.ts';
import { wordCount, words } from './echo.ts';

/** The answer of the stand-in: the last message of a user again, a token a piece. */
type EchoPart =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'finish'; readonly reason: 'stop' | 'length' }
  | { readonly is: 'usage'; readonly usage: Tokens };

export function* echoed(prompt: Prompt, maxTokens: number): Generator<EchoPart> {
  const last = prompt.messages.findLast(({ role }) => role === 'user');
  const said = contentTexts(last?.['content']).join('\n');
  const stops = [prompt.options['stop']].flat();
  const all = words(untilStop(said, stops));
  const given = all.slice(0, maxTokens);
  for (const text of given) yield { is: 'text', text };
  yield { is: 'finish', reason: given.length < all.length ? 'length' : 'stop' };
  const input = textsOf(prompt).reduce((sum, text) => sum + wordCount(text), overheadOf(prompt));
  yield { is: 'usage', usage: { input, output: given.length } };
}

function untilStop(text: string, stops: readonly unknown[]): string {
  const cuts = stops
    .filter((stop): stop is string => typeof stop === 'string' && stop !== '')
    .map((stop) => text.indexOf(stop))
    .filter((at) => at >= 0);
  return text.slice(0, Math.min(text.length, ...cuts));
}
