import type { Instant } from '../../domain/instant.ts';
import type { CrawlStep } from '../../domain/registry/target.ts';
import type { Dialled } from './dial.ts';

const NAMES = { handshake: 'initialize', list: 'tools' } as const;
/** Never asked: the address is the hub's own, and is put in where the step is shown. */
const HERE = 'https://hosted.invalid/';

/** A step as reports of looks have them; undefined for one that they have no name for. */
export function crawlStepOf(
  { step, outcome, durationMs = 0 }: Dialled['steps'][number],
  at: Instant,
  says: string,
): CrawlStep | undefined {
  if (step !== 'handshake' && step !== 'list') return undefined;
  const isOk = outcome === 'ok';
  const detail = isOk ? 'It answered.' : says;
  return {
    step: NAMES[step],
    url: HERE,
    at,
    outcome: isOk ? 'ok' : 'unreachable',
    detail,
    durationMs,
  };
}
