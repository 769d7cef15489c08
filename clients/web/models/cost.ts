import { usdc } from '../format.ts';

/** Estimates the cost in USDC at four characters per token; the receipt has the real charge. */
const CHARACTERS_OF_TOKEN = 4;

export function costSoFar(
  price: { readonly input: string; readonly output: string },
  prompt: readonly { readonly content: string }[],
  answer: string,
  tokens = answer.length / CHARACTERS_OF_TOKEN,
): string {
  const asked = prompt.reduce((sum, { content }) => sum + content.length, 0);
  // A price in USD for a million tokens is one in atomic units for a token.
  const units = (asked * Number(price.input)) / CHARACTERS_OF_TOKEN + tokens * Number(price.output);
  return `${usdc(String(Math.ceil(units)))} USDC`;
}
