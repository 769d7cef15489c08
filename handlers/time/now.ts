import { readChain } from '../../db/time/pulses.ts';
import { defined } from '../../domain/defined.ts';
import { iso } from '../../domain/instant.ts';
import { minuteIso } from '../../domain/time/minute.ts';
import { signObject } from '../../domain/time/signedObject.ts';
import type { components } from '../../generated/types.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { chainState, SYSTEM_CLOCK, witness, wrongClock } from '../../workflows/time/clock.ts';

type SignedTime = components['schemas']['SignedTime'];

/** The time is read after the database has answered, so it is as fresh as can be. */
export const now: Handler<'time.now'> = async ({ query: { nonce } }, hub) => {
  const chain = await hub.store.read(readChain);
  const { head } = chain;
  witness(hub);
  const at = hub.clock.now();
  const state = chainState(at, chain, wrongClock(hub));
  const key = hub.keys.current();
  const body: SignedTime['body'] = {
    now: iso(at),
    unixMs: at,
    ...defined({ nonce }),
    ...(head !== undefined && {
      head: { seq: head.seq, minute: minuteIso(head.minute), digest: head.digest },
    }),
    chain: state.state === 'live' ? state : { ...state, since: iso(state.since) },
    clock: SYSTEM_CLOCK,
    keyId: key.keyId,
  };
  const { bytes, signature } = signObject('now', body, key.sign);
  return {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: { body, bytes, signature },
  };
};
