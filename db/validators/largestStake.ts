import { amount, network } from '../batch/columns.ts';
import { lookup } from '../batch/lookup.ts';

const LARGEST_OF = (network: string): string =>
  `coalesce((SELECT max(stake) FROM seats WHERE state = 'seated' AND network = ${network}), 0)`;

/** The largest stake of a seat on a network; 0 without one. */
export const LARGEST_STAKE = lookup('largest_stake', {
  by: { network: network() },
  found: { stake: amount() },
  sql: (key) => ({ stake: LARGEST_OF(key.network) }),
});
