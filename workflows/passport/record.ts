import {
  addDomain,
  dropDomain,
  isFirstOf,
  lockDomain,
  noteProver,
  setDomain,
} from '../../db/passport/domains.ts';
import { letGoOf, setProof } from '../../db/passport/listings.ts';
import { accountOfKey } from '../../db/wallet/keys.ts';
import type { Writer } from '../../db/store.ts';
import { keyAccount } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { rule, type Check, type ProvedDomain, type Ruling } from '../../domain/passport/domain.ts';
import { operatorCode } from '../../domain/registry/code.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { recordCauses } from '../karma/record.ts';

/** Writes down what a check of a domain amounts to, in the transaction that decides it. */
export async function recordCheck(tx: Writer, hub: Hub, check: Check): Promise<Ruling> {
  const now = hub.clock.now();
  const held = await lockDomain(tx, check.domain);
  const ruling = rule(held, check, now);
  const { holder, left } = ruling;
  if (held === undefined) {
    if (holder === undefined) return ruling;
    // Of two who prove it at once the second finds the first as its holder.
    if (!(await addDomain(tx, holder))) return recordCheck(tx, hub, check);
    await reward(tx, hub, holder, now);
    return ruling;
  }
  if (left) await letGoOf(tx, held, now);
  if (holder === undefined) {
    await dropDomain(tx, held.domain);
    return ruling;
  }
  await setDomain(tx, holder);
  if (left) await reward(tx, hub, holder, now);
  else if (holder.method !== held.method) await setProof(tx, holder, holder.method);
  return ruling;
}

/** The first domain of an account gives karma, unless the same operator's names gave it before. */
async function reward(
  tx: Writer,
  hub: Hub,
  { domain, keyId }: ProvedDomain,
  at: Instant,
): Promise<void> {
  const subject = (await accountOfKey(tx, keyId)) ?? keyAccount(keyId);
  await noteProver(tx, subject, domain, at);
  if (!(await isFirstOf(tx, operatorCode(domain), domain, at))) return;
  const ref = { kind: 'domain', id: domain } as const;
  const cause = { subject, reason: 'domain.proved', ref, occasion: 'first' } as const;
  await recordCauses(tx, hub, [cause], { at, network: undefined });
}
