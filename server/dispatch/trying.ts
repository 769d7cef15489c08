import { ruleOf } from '../../db/wallet/policies.ts';
import { PAYMENT_HEADERS } from '../../domain/httpsig/base.ts';
import type { Identity, WireInput } from '../http/wire.ts';
import { refuseReplayed } from '../../workflows/kernel/admission.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import type { Ruling } from '../../workflows/kernel/keyRuling.ts';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';

/** Whether the operation changes something; the compatible routes are another contract. */
export function mayBeTried({ method, auth }: OperationSpec): boolean {
  return method === 'POST' && auth !== 'api-key';
}

/** A payment is settled on its chain, which nothing takes back. */
export function mustBeTriable(header: WireInput['header']): void {
  const paying = PAYMENT_HEADERS.find((name) => header[name] !== undefined);
  if (paying === undefined) return;
  refuse('bad-request', {
    error: `The header ${paying} pays, and Prefer: dry-run keeps nothing; send one of them.`,
    field: `header.${paying}`,
  });
}

/** A trial takes no nonce, but a request that counted already is no trial of anything. */
export async function mustBeFresh(
  hub: Hub,
  identity: Identity,
  ruling: Ruling | undefined,
): Promise<void> {
  if (identity.kind !== 'signer') return;
  const { keyId, account } = identity;
  ruling?.judge(await hub.store.readOne((db) => ruleOf(db, keyId, account)), hub.clock.now());
  if (await hub.callers.wasNonceUsed(identity.keyId, identity.nonce)) refuseReplayed();
}
