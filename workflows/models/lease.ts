import { renewModelCall } from '../../db/models/calls.ts';
import { plus, seconds } from '../../domain/instant.ts';
import {
  LEASE_SECONDS,
  RENEW_FIRST_MS,
  RENEW_MS,
  type ModelReceipt,
} from '../../domain/models/receipt.ts';
import type { Hub } from '../kernel/hub.ts';
import { logFailure } from '../kernel/logFailure.ts';
import type { Tally } from './tally.ts';

export interface LeasedCall {
  readonly tally: Tally;
  /** Raised when another process ended the call. */
  readonly stop: AbortController;
  /** Whether what was given by then went out, so that it is charged when the hub is killed. */
  readonly isStream: boolean;
}

/** Says from time to time that a call is still made, until the function that it answers is called. */
export function keepLease(hub: Hub, receipt: ModelReceipt, leased: LeasedCall): () => void {
  let timer = setTimeout(next, RENEW_FIRST_MS);
  function next(): void {
    timer = setTimeout(next, RENEW_MS);
    void renew(hub, receipt, leased);
  }
  return () => clearTimeout(timer);
}

/** With what a stream has given: a killed hub charges that. */
async function renew(
  hub: Hub,
  receipt: ModelReceipt,
  { tally, stop, isStream }: LeasedCall,
): Promise<void> {
  try {
    const output = isStream && tally.hasTokens ? await tally.count(hub) : 0;
    const { provider } = tally;
    const renewed = await hub.store.write((tx) =>
      renewModelCall(tx, {
        ...receipt,
        resolveAt: plus(hub.clock.now(), seconds(LEASE_SECONDS)),
        usage: { ...receipt.usage, output: Math.min(output, receipt.maxTokens) },
        price: tally.priceOf(),
        ...(provider !== undefined && { servedBy: provider.name }),
      }),
    );
    // Another process took it for abandoned and ended it, so nothing more of it is paid.
    if (!renewed) stop.abort();
  } catch (error) {
    logFailure(hub.log, error, 'a model call was not renewed', { call: receipt.id });
  }
}
