import {
  addDomain,
  dropDomain,
  isFirstOf,
  lockDomain,
  setDomain,
} from '../../db/passport/domains.ts';
import { letGoOf, setProof } from '../../db/passport/listings.ts';
import { addLink } from '../../db/tasks/links.ts';
import { accountOfKey } from '../../db/wallet/keys.ts';
import type { Writer } from '../../db/store.ts';
import { keyAccount, type Account, type KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import {
  namesBoth,
  rule,
  type Check,
  type ProvedDomain,
  type Ruling,
} from '../../domain/passport/domain.ts';
import { operatorCode } from '../../domain/registry/code.ts';
import type { Hub } from '../kernel/hub.ts';
import { recordInside } from '../karma/record.ts';

/** Stores the result of a check of a domain, in the transaction that decides it. */
export async function recordCheck(tx: Writer, hub: Hub, check: Check): Promise<Ruling> {
  const ruling = await recordHolder(tx, hub, check);
  const { domain, asked } = check;
  const { holder } = ruling;
  if (holder === undefined || asked === undefined || !namesBoth(ruling, check)) return ruling;
  // The tenure is part of the text, so a later owner of the domain links no former holders.
  const shared = `domain:${domain}@${holder.provedAt} ${holder.keyId}`;
  for (const keyId of [holder.keyId, asked]) {
    await addLink(tx, await accountActedFor(tx, keyId), shared, hub.clock.now());
  }
  return ruling;
}

async function recordHolder(tx: Writer, hub: Hub, check: Check): Promise<Ruling> {
  const now = hub.clock.now();
  const held = await lockDomain(tx, check.domain);
  const ruling = rule(held, check, now);
  const { holder, left } = ruling;
  if (held === undefined) {
    if (holder === undefined) return ruling;
    // Among two who prove it at once the second finds the first as its holder.
    if (!(await addDomain(tx, holder))) return recordHolder(tx, hub, check);
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
  const subject = await accountActedFor(tx, keyId);
  if (!(await isFirstOf(tx, operatorCode(domain), domain, at))) return;
  const ref = { kind: 'domain', id: domain } as const;
  const cause = { subject, reason: 'domain.proved', ref, occasion: 'first' } as const;
  await recordInside(tx, hub, [cause], { at, network: undefined });
}

async function accountActedFor(tx: Writer, keyId: KeyId): Promise<Account> {
  return (await accountOfKey(tx, keyId)) ?? keyAccount(keyId);
}
