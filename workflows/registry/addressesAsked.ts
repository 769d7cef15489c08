import { defined } from '../../domain/defined.ts';
import type { MergedListing } from '../../domain/registry/probeResult.ts';
import { nextRegularCrawl } from '../../domain/registry/schedule.ts';
import type { CrawlStep } from '../../domain/registry/target.ts';
import type { AskedAddress } from '../../domain/registry/turns.ts';
import type { Planned } from './planProbe.ts';
import type { ProbedOrigin } from './probe.ts';

/** Steps that are kept of one address. */
const STEPS_MAX = 20;

/** The answers of each address that a look asked, and when its next turn is. */
export function addressesAsked(
  { asked }: Pick<Planned, 'asked'>,
  seen: ProbedOrigin,
  made: readonly MergedListing[],
  chance: number,
): readonly AskedAddress[] {
  const steps = new Map<string, CrawlStep[]>();
  for (const step of seen.steps) {
    if (step.step === 'robots' || step.step === 'proof') continue;
    const those = steps.get(step.url) ?? [];
    if (those.length < STEPS_MAX) those.push(step);
    steps.set(step.url, those);
  }
  const failures = new Map(asked.map((each) => [each.url, each.failures]));
  const ids = new Map(made.map(({ listing }) => [listing.endpoint, listing.id]));
  return [...steps].map(([url, those]) => {
    const results = seen.results.filter(({ endpoint, card }) => endpoint === url || card === url);
    // A card is answered for by the door that it names.
    const doors = results.flatMap(({ endpoint, card }) => (card === url ? [endpoint] : []));
    const ofDoors = doors.flatMap((door) => (door === url ? [] : (steps.get(door) ?? [])));
    const answered =
      results.some(({ verdict }) => verdict === 'live') ||
      seen.quotes.some(({ endpoint }) => endpoint === url);
    const missed = answered ? 0 : (failures.get(url) ?? 0) + 1;
    const listingId = results.flatMap(({ endpoint }) => ids.get(endpoint) ?? [])[0];
    return {
      url,
      askedAt: seen.at,
      dueAt: nextRegularCrawl(seen.at, missed, chance),
      failures: missed,
      answered,
      ...defined({ listingId }),
      steps: [...those, ...ofDoors].slice(0, STEPS_MAX),
    };
  });
}
