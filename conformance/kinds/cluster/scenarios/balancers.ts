import { setTimeout as sleep } from 'node:timers/promises';
import { BALANCERS } from '../balancers.ts';
import { behind } from '../behind.ts';
import { subfolder } from '../daemons.ts';
import type { Scenario } from '../scenario.ts';

const REQUESTS_MIN = 3_000;
/** A balancer takes so long to send requests to a hub that came back. */
const RETURN_MS = 3_000;
const STEP_MS = 200;
const ROUNDS_OF_A_LONG_RUN = 4;

/** Both hubs restart one after the other behind each balancer, and no request fails. */
export const balancers: Scenario = async (parts) => {
  for (const balancer of BALANCERS) {
    const folder = await subfolder(parts.folder, balancer.name.toLowerCase());
    await behind(parts, { balancer, folder }, async (hubs, load) => {
      for (let round = 0; round < (parts.isLong ? ROUNDS_OF_A_LONG_RUN : 1); round += 1) {
        for (const hub of hubs) {
          await sleep(RETURN_MS);
          await hub.end();
          await hub.start();
        }
      }
      while (load.sent.length < REQUESTS_MIN) await sleep(STEP_MS);
    });
  }
};
