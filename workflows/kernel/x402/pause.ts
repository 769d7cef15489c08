import { setTimeout as sleep } from 'node:timers/promises';

/** Waits in real time, whatever the hub's clock says: a chain makes its blocks by its own. */
export async function pause(ms: number): Promise<void> {
  await sleep(ms, undefined, { ref: false });
}
