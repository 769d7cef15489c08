import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from '../../harness/patience.ts';
import { NotAsked } from './notAsked.ts';

/** A signature stays good for longer than this, so what was refused is sent again as it is. */
const WAIT_SECONDS_MAX = 60;

/** From now on a request that is over a limit waits as long as the hub says, and is sent again. */
export function waitForLimits(): void {
  patience.mayAskAgain = async ({ status, headers }) => {
    if (status !== 429) return false;
    const seconds = Number(headers.get('retry-after') ?? Infinity);
    if (!(seconds <= WAIT_SECONDS_MAX)) throw new NotAsked('limits');
    await sleep(seconds * 1000);
    return true;
  };
}
