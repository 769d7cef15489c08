import { domainHolder } from '../../db/passport/domains.ts';
import { listingRows } from '../../db/registry/listings.ts';
import { submitTarget } from '../../db/registry/targets.ts';
import { accountOfKey } from '../../db/wallet/keys.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { ListingKind, ListingSummary } from '../../domain/registry/listing.ts';
import type { CrawlReport, Target } from '../../domain/registry/target.ts';
import { admitNow } from '../kernel/admission.ts';
import type { Signer, Visitor } from '../kernel/call.ts';
import type { Hub } from '../kernel/hub.ts';
import { addressOf } from './address.ts';
import { CRAWL_TOPIC } from '../topics.ts';
import { mayTake } from './quota.ts';

interface Given {
  readonly url: string;
  readonly kind?: ListingKind | undefined;
  readonly caller: Signer | Visitor;
}

export interface Submitted {
  readonly target: Target;
  readonly found: readonly ListingSummary[];
}

/**
 * Queues an address for a crawl; a repeat waits longer, and is never refused. A signed submission
 * is looked at at once while its signer and its origin have looks left.
 */
export async function submitAddress(hub: Hub, { url, kind, caller }: Given): Promise<Submitted> {
  const address = addressOf(hub, url, 'body.url');
  if (caller.kind === 'signer') await admitNow(hub, caller);
  const now = hub.clock.now();
  const hint = { url: address.url, ...defined({ kind }) };
  const { origin, host } = address;
  const isOwner = caller.kind === 'signer' && (await takeLook(hub, caller.account, address));
  const target = await hub.store.write(async (tx) => {
    tx.publish(CRAWL_TOPIC);
    return submitTarget(tx, { origin, host, foundBy: 'submission', hint, now, isOwner });
  });
  return { target, found: await foundOf(hub, target.report) };
}

const LOOKS = { policy: 'looks', max: 6, error: '', hint: '' };

/**
 * Who proved the domain has looks of its own; those of all other signers count for the origin as
 * well, because keys are free (choices registry.submissions).
 */
async function takeLook(
  hub: Hub,
  account: Account,
  { origin, host }: { readonly origin: string; readonly host: string },
): Promise<boolean> {
  if (!(await mayTake(hub, LOOKS, `look-by ${account}`))) return false;
  const isHolder = await hub.store.read(async (db) => {
    const holder = await domainHolder(db, host);
    return holder !== undefined && (await accountOfKey(db, holder)) === account;
  });
  return isHolder || mayTake(hub, LOOKS, `look-at ${origin}`);
}

export async function foundOf(
  hub: Hub,
  report: CrawlReport | undefined,
): Promise<readonly ListingSummary[]> {
  return hub.store.read((db) => listingRows(db, report?.found ?? []));
}
