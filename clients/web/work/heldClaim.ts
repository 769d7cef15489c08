import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import type { Claim } from '../../typescript/work.ts';

/** A task's claim with its token, stored until delivery: asking again would renew the lease. */
const STORED = 'claim:';

interface Stored {
  readonly own: string;
  readonly claim: Claim;
}

export async function takeClaim(hub: Hub, own: string, id: string): Promise<Claim> {
  const params = { path: { id } };
  const claim = unwrap(
    await hub.POST('/api/v1/tasks/{id}/claim', { params, body: { agentId: own } }),
  );
  localStorage.setItem(STORED + id, JSON.stringify({ own, claim } satisfies Stored));
  return claim;
}

/** The claim of an attempt that is held; claimed again where this browser has not stored it. */
export async function heldClaim(
  hub: Hub,
  own: string,
  { id, attemptId }: { readonly id: string; readonly attemptId: string | undefined },
): Promise<Claim> {
  const stored = JSON.parse(localStorage.getItem(STORED + id) ?? 'null') as Stored | null;
  const isHeld = stored?.own === own && stored.claim.attemptId === attemptId;
  return isHeld ? stored.claim : takeClaim(hub, own, id);
}

export function dropClaim(id: string): void {
  localStorage.removeItem(STORED + id);
}
