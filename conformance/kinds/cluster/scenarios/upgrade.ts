import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { BALANCERS } from '../balancers.ts';
import { behind } from '../behind.ts';
import { buildRelease } from '../release.ts';
import type { Scenario } from '../scenario.ts';

/** For so long both builds serve side by side, after each step. */
const SIDE_BY_SIDE_MS = 5_000;
const SIDE_BY_SIDE_LONG_MS = 20_000;

/**
 * Takes two hubs from the release before to this build one by one under load, back again, and
 * forwards. The tables change beside both versions, and no request fails.
 */
export const upgrade: Scenario = async (parts) => {
  const { folder, isLong, say } = parts;
  const [balancer] = BALANCERS;
  assert.ok(balancer);
  const { name, program, remove } = await buildRelease(folder);
  say('the release before', name);
  try {
    await behind(parts, { balancer, folder, program }, async (hubs) => {
      for (const next of [undefined, program, undefined]) {
        for (const hub of hubs) {
          await sleep(isLong ? SIDE_BY_SIDE_LONG_MS : SIDE_BY_SIDE_MS);
          await hub.end();
          await hub.start(next);
        }
      }
      await sleep(SIDE_BY_SIDE_MS);
    });
  } finally {
    remove();
  }
};
