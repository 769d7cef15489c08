import type { CrawlStep, CrawlStepOutcome } from './target.ts';

/** The outcomes in the order of how much they show. */
const TELLING: readonly CrawlStepOutcome[] = [
  'malformed',
  'quoted',
  'key-needed',
  'forbidden',
  'refused',
  'timeout',
  'unreachable',
  'not-found',
  'skipped',
];

/** The request that says most of why nothing answered; undefined when all were answered well. */
export function tellingOf(probes: readonly CrawlStep[]): CrawlStep | undefined {
  const asked = probes.filter(({ outcome, step }) => outcome !== 'ok' && step !== 'robots');
  const [robots] = probes.filter(
    ({ step, outcome }) => step === 'robots' && outcome !== 'not-found',
  );
  const telling = TELLING.flatMap(
    (wanted) => asked.find(({ outcome }) => outcome === wanted) ?? [],
  );
  return telling[0] ?? robots;
}
