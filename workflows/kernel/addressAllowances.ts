import { allowedUntil, saveAddressAllowance } from '../../db/addressAllowances.ts';
import type { Store } from '../../db/store.ts';
import { plus, seconds, type Instant } from '../../domain/instant.ts';
import type { Clock } from './clock.ts';
import { policyText } from './policies.ts';
import { addressPartition } from './addressPartition.ts';

/**
 * Which addresses introduced themselves (choices discovery.introductions): for a day after a
 * handshake their allowance and bulk feed are wider. The database holds this for all processes.
 * Each reads an address at most twice a minute and sees a handshake at once.
 */
export interface AddressAllowances {
  /** The answer from memory: undefined when the database would have to be asked. */
  remembered(address: string): boolean | undefined;
  /** Whether an address, as its allowance is counted, is introduced now. */
  isIntroduced(address: string): Promise<boolean>;
  isCallerIntroduced(ip: string): Promise<boolean>;
  /** Introduces a caller's address from now on; `said` is the claim as JSON text. */
  introduce(ip: string, claim: string): Promise<Widened>;
}

interface Widened {
  readonly until: Instant;
  /** Allowances in the form of `x-ratelimit-policy`. */
  readonly before: string;
  readonly now: string;
}

const LASTS = seconds(86_400);
const KNOWN_MS = 30_000;
const KNOWN_MAX = 100_000;
const TOPIC = 'introduction ';

interface Known {
  readonly isIntroduced: boolean;
  readonly askAgainAt: number;
}

export function openAddressAllowances(store: Store, clock: Clock): AddressAllowances {
  const known = new Map<string, Known>();
  store.onPublish((topic) => {
    if (topic.startsWith(TOPIC)) known.delete(topic.slice(TOPIC.length));
  });
  const remembered = (address: string): boolean | undefined => {
    const fact = known.get(address);
    return fact !== undefined && clock.now() < fact.askAgainAt ? fact.isIntroduced : undefined;
  };
  const ask = async (address: string): Promise<boolean> => {
    const now = clock.now();
    const until = await store.readOne((db) => allowedUntil(db, address, now));
    if (known.size >= KNOWN_MAX) known.clear();
    const askAgainAt = Math.min(until ?? Infinity, now + KNOWN_MS);
    known.set(address, { isIntroduced: until !== undefined, askAgainAt });
    return until !== undefined;
  };
  const isIntroduced = async (address: string): Promise<boolean> =>
    remembered(address) ?? ask(address);
  return {
    remembered,
    isIntroduced,
    isCallerIntroduced: (ip) => isIntroduced(addressPartition(ip)),
    async introduce(ip, claim) {
      const address = addressPartition(ip);
      const before = policyText((await isIntroduced(address)) ? 'introduced' : 'anon');
      const at = clock.now();
      const until = plus(at, LASTS);
      await store.write(async (tx) => {
        await saveAddressAllowance(tx, { address, at, until, said: claim });
        tx.publish(`${TOPIC}${address}`);
      });
      known.set(address, { isIntroduced: true, askAgainAt: at + KNOWN_MS });
      return { until, before, now: policyText('introduced') };
    },
  };
}
