import { createHash } from 'node:crypto';

/**
 * Digests of the beginnings of a prompt, the shortest first: of each 2,048 characters, and at most 512
 * of them. Two prompts that begin alike have the same first digests; no text is kept.
 */
const STEP = 2_048;
const STEPS_MAX = 512;

export interface Beginning {
  readonly digest: string;
  /** How much of the prompt it is, above 0 and at most 1. */
  readonly part: number;
}

export function beginningsOf(scope: string, texts: readonly string[]): readonly Beginning[] {
  const whole = texts.join('\n');
  const hash = createHash('sha256').update(`${scope}\n`);
  const count = Math.min(STEPS_MAX, Math.floor(whole.length / STEP));
  return Array.from({ length: count }, (_, n) => {
    const until = (n + 1) * STEP;
    const digest = hash
      .update(whole.slice(n * STEP, until))
      .copy()
      .digest('base64');
    return { digest, part: until / whole.length };
  });
}
