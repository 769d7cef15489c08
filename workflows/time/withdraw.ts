import { lockChain, readPulse } from '../../db/time/pulses.ts';
import { datedAfter, withdrawFrom, type Ahead } from '../../db/time/withdrawn.ts';
import type { Writer } from '../../db/store.ts';
import type { Instant } from '../../domain/instant.ts';

/**
 * Withdraws the pulses that are dated after `now` (choices time.ahead), if the first of them still
 * is `first`; undefined when it is not, and then nothing is changed.
 */
export async function withdrawPulses(
  tx: Writer,
  first: number,
  now: Instant,
): Promise<Ahead | undefined> {
  await lockChain(tx);
  const ahead = await datedAfter(tx, now);
  if (ahead?.first !== first) return undefined;
  const pulse = await readPulse(tx, first);
  if (pulse === undefined) throw new Error('a pulse that was counted is there');
  await withdrawFrom(tx, pulse, now);
  return ahead;
}
