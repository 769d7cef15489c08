import { insertHostedCall, type HostedCall } from '../../db/hosted/calls.ts';
import type { Writer } from '../../db/store.ts';
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
