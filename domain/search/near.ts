import { sha256Hex } from '../digest.ts';
import { head } from '../text.ts';

/**
 * Nearness of listings to a query by the vectors of a model (choices search.meaning). It raises how
 * well a listing fits, so that names stay first and equals keep their order.
 */
export interface Near {
  /** Id of the listing. */
  readonly ref: string;
  /** How near it is, 1 to `NEAR_MAX`; `raised` makes it part of its fit. */
  readonly bonus: number;
}

/** Listings that are near; the last of them is raised by nothing. */
export const NEAREST = 60;
/** About the fit of a listing that has some words of a query and not all. */
const NEAR_MAX = 120;

/**
 * Returns the bonus of each cosine distance, which are in ascending order. Models differ in which
 * distances are short, so each counts by its place between the nearest and the last.
 */
export function bonusesOf(distances: readonly number[]): readonly number[] {
  const [nearest = 0, last = 0] = [distances[0], distances.at(-1)];
  const span = last - nearest;
  return distances.map((distance) => {
    if (distance >= 1) return 0;
    return Math.round(
      NEAR_MAX * (span === 0 ? Number(distances.length === 1) : (last - distance) / span),
    );
  });
}

/** The texts in which a listing describes itself and its tools. */
export interface DescribedText {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

/** Tools of a listing that its text has, and letters of the description of each. */
export const TOOLS_MAX = 40;
export const TOOL_LETTERS_MAX = 300;
const LETTERS_MAX = 2_000;

/** Letters of a text, which have at most about one token each. */
export function lettersFor(contextLength: number): number {
  return Math.min(LETTERS_MAX, contextLength);
}

/** The text of a listing that a model makes a vector of. */
export function textOf({ name, description, tools }: DescribedText, letters: number): string {
  const lines = tools.map((tool) => `${tool.name}: ${head(tool.description, TOOL_LETTERS_MAX)}`);
  return head([name, description, ...lines].join('\n').trim(), letters);
}

const DIGEST_LENGTH = 32;

export function textDigest(text: string): string {
  return sha256Hex(text).slice(0, DIGEST_LENGTH);
}
