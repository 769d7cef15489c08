import type { Tokens } from './offer.ts';
import { contentTexts, overheadOf, textsOf, type Prompt } from './prompt.ts';
import { wordCount, words } from './echo.ts';

/** The answers of the stand-ins, a token a piece: the last message of a user, or its letters. */
type EchoPart =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'finish'; readonly reason: 'stop' | 'length' }
  | { readonly is: 'usage'; readonly usage: Tokens };

export function* echoed(prompt: Prompt, maxTokens: number, model = 'echo'): Generator<EchoPart> {
  const last = prompt.messages.findLast(({ role }) => role === 'user');
  const question = contentTexts(last?.['content']).join('\n');
  const stops = [prompt.options['stop']].flat();
  const answer = model === 'letters' ? lettersOf(question) : question;
  const all = words(untilStop(answer, stops));
  const given = all.slice(0, maxTokens);
  for (const text of given) yield { is: 'text', text };
  yield { is: 'finish', reason: given.length < all.length ? 'length' : 'stop' };
  const input = textsOf(prompt).reduce((sum, text) => sum + wordCount(text), overheadOf(prompt));
  yield { is: 'usage', usage: { input, output: given.length } };
}

/** Words of a message that are drawn, and the longest bar; the rest is counted alone. */
const DRAWN_MAX = 40;
const BAR_MAX = 15;

function lettersOf(content: string): string {
  const found = content.match(/[\p{L}\p{N}]+/gu) ?? [];
  const lengths = found.map((word) => [...word].length);
  const bars = found.slice(0, DRAWN_MAX).map((word, place) => {
    const length = lengths[place] ?? 0;
    return `${'█'.repeat(Math.min(length, BAR_MAX))} ${length} ${word}\n`;
  });
  const letters = lengths.reduce((sum, length) => sum + length, 0);
  return `${bars.join('')}${found.length} words, ${letters} letters.`;
}

function untilStop(text: string, stops: readonly unknown[]): string {
  const cuts = stops
    .filter((stop): stop is string => typeof stop === 'string' && stop !== '')
    .map((stop) => text.indexOf(stop))
    .filter((at) => at >= 0);
  return text.slice(0, Math.min(text.length, ...cuts));
}
