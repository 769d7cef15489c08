import type { Offer } from './offer.ts';

/**
 * The stand-in of a hub without providers, on test money: it repeats the last user message, so a
 * newcomer sees hold, charge and receipt. A token is up to 16 letters and the blank after.
 */
export const ECHO: Offer = {
  id: 'hub/echo',
  name: 'Echo',
  description:
    'Says your last message again, token by token. It computes nothing and exists to try the desk: hold, charge, receipt.',
  contextLength: 8_192,
  maxAnswerTokens: 4_096,
  backend: 'mock',
  counter: 'hub-words',
  reads: {},
  thinks: false,
  rewrites: false,
  // It says the same again however it is sampled, and knows no tools and no formats.
  parameters: ['temperature', 'top_p', 'seed', 'stop'],
  since: 0,
  providers: [
    {
      name: 'hub',
      model: 'echo',
      lengthField: 'max_tokens',
      price: { input: 1_000_000n, output: 2_000_000n },
      firstTokenMs: 1_000,
      idleMs: 1_000,
      totalMs: 600_000,
    },
  ],
};

/**
 * Beside the echo on a sandbox: it answers with what can be computed of the message, so that the
 * first answer that a newcomer pays for is not its own words.
 */
export const LETTERS: Offer = {
  ...ECHO,
  id: 'hub/letters',
  name: 'Letters',
  description:
    'Draws each word of your last message as a bar of its letters, and counts them. It knows nothing else and is there to see an answer come.',
  providers: ECHO.providers.map((provider) => ({ ...provider, model: 'letters' })),
};

const WORD = /\S{1,16}\s?|\s{1,16}/gu;

export function words(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}

export function wordCount(text: string): number {
  let count = 0;
  for (const pattern = new RegExp(WORD); pattern.exec(text) !== null;) count += 1;
  return count;
}
