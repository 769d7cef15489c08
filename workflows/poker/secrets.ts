import type { Secrets } from '../../domain/poker/session.ts';
import { commitTo, SEED_BYTES } from '../../domain/poker/shuffle.ts';
import { openSealing, type Sealer } from '../kernel/keys/sealing.ts';

/** Seeds of shuffles are encrypted at rest (threats.deck). */
const seeds = openSealing('hub/poker/seed-at-rest/v1');
const TOKEN_BYTES = 16;

export type Dealer = Sealer;

export function tableSecrets(hub: Dealer): Secrets {
  return {
    open(text) {
      const seed = seeds.open(hub, text);
      if (seed === undefined) throw new Error('the key that closed a seed is not here');
      return seed;
    },
    fresh() {
      const seed = hub.random(SEED_BYTES);
      return { seed: seeds.close(hub, seed), commit: commitTo(seed) };
    },
    token: () => Buffer.from(hub.random(TOKEN_BYTES)).toString('base64url'),
  };
}
