import { countHosted } from '../../db/hosted/agents.ts';
import { insertHostedCall, type HostedCall } from '../../db/hosted/calls.ts';
import type { Writer } from '../../db/store.ts';
import { ZERO } from '../../domain/money.ts';
import { cut } from '../../domain/text.ts';
import type { Hub } from '../../server/hub/hub.ts';

/** Notes a call for the holder, in the unit that ends it. */
export function noteHostedCall(
  tx: Writer,
  hub: Hub,
  call: Omit<HostedCall, 'id' | 'at'>,
): Promise<void> {
  const { tool, why } = call;
  const noted = { ...call, tool: cut(tool, 300), why: cut(why, 400) };
  return insertHostedCall(tx, { ...noted, id: hub.ids.uuid(), at: hub.clock.now() });
}

/** The same of a call that nobody signed; a crowd that was over the limit is only counted. */
export function noteVisit(
  hub: Hub,
  visit: Pick<HostedCall, 'keyId' | 'tool' | 'outcome' | 'why' | 'durationMs'>,
): Promise<void> {
  const { keyId, outcome } = visit;
  return hub.store.write((tx) =>
    outcome === 'refused'
      ? countHosted(tx, keyId, { outcome, earned: 0n })
      : noteHostedCall(tx, hub, { ...visit, caller: 'visitor', price: ZERO }),
  );
}
