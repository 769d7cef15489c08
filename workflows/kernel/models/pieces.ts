import {
  CL100K_TOKEN_SPLIT_REGEX,
  O200K_TOKEN_SPLIT_REGEX,
} from 'gpt-tokenizer/encodingParams/constants';
import type { Counter } from '../../../domain/models/offer.ts';

/**
 * The pieces into which an encoding cuts a text before it looks for tokens. No token crosses two of
 * them, so a text has the tokens of its pieces, and those of most prompts are words that came before.
 */
export type Encoding = Exclude<Counter, 'hub-words'>;
const CUTS: Readonly<Record<Encoding, RegExp>> = {
  o200k_base: O200K_TOKEN_SPLIT_REGEX,
  cl100k_base: CL100K_TOKEN_SPLIT_REGEX,
};

/** Cutting takes the event loop a third of a millisecond for as much. */
const CUT_CHARACTERS_MAX = 4_096;
/** A text that looks like a mark of the template is one token, whatever pieces it has. */
const MARK = '<|';

/** Undefined for texts that are long or have marks, which are counted whole. */
export function piecesOf(
  encoding: Encoding,
  texts: readonly string[],
): readonly string[] | undefined {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (characters > CUT_CHARACTERS_MAX || texts.some((text) => text.includes(MARK)))
    return undefined;
  return texts.flatMap((text) => text.match(CUTS[encoding]) ?? []);
}

/** Longer ones are names, addresses and codes, which hardly come again. */
const KEPT_CHARACTERS_MAX = 24;
const KEPT_MAX = 50_000;

export class KnownPieces {
  readonly #tokens = new Map<string, number>();

  of(piece: string): number | undefined {
    return this.#tokens.get(piece);
  }

  learn(piece: string, tokens: number): void {
    if (piece.length > KEPT_CHARACTERS_MAX) return;
    if (this.#tokens.size >= KEPT_MAX) this.#tokens.clear();
    this.#tokens.set(piece, tokens);
  }
}
