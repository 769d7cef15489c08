import { changesAt, probesOf } from '../../db/registry/probes.ts';
import { readListing } from '../../db/registry/listings.ts';
import { listingAtEndpoint } from '../../db/registry/origins.ts';
import { quotesOf } from '../../db/registry/quotes.ts';
import { readTarget } from '../../db/registry/targets.ts';
import type { Reader } from '../../db/store.ts';
import { isHostedAddress } from '../../domain/hosted/agent.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Target } from '../../domain/registry/target.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { hostedRecord } from '../../workflows/hosted/record.ts';
import { addressOf, type Address } from '../../workflows/registry/address.ts';
import { probeNow } from '../../workflows/registry/probeNow.ts';
import { freshLeft, takeFresh } from '../../workflows/registry/freshChecks.ts';
import { presentCheck, type OnRecord } from './present/check.ts';

/** A look this young is used as it is. */
const RECENT_MS = 86_400_000;

/** Returns the hub's record of an address; `fresh=1` calls the tools for this very answer. */
export const verify: Handler<'discovery.verify'> = async ({ query, caller }, hub) => {
  const fresh = query.fresh === 1;
  if (isHostedAddress(hub.settings.baseUrl, query.url)) {
    const hosted = await hostedRecord(hub, query.url, caller.ip, fresh);
    return { status: 200, body: presentCheck(hub, hosted) };
  }
  const address = addressOf(hub, query.url, 'query.url');
  if (fresh) await takeFresh(hub, caller.ip);
  const before = await hub.store.readOne((db) => readTarget(db, address.origin));
  if (fresh || !wasSeen(before, address, hub.clock.now())) {
    await probeNow(hub, address, { url: address.url }, fresh ? 'now' : 'none');
  }
  const record = await hub.store.read((db) => onRecord(db, hub, address, caller.ip, fresh));
  // The crawler is at the origin for the first time, and nothing is known of it yet.
  if (record === undefined) return refuse('busy');
  return { status: 200, body: presentCheck(hub, record) };
};

/** Looked at lately, this address included. */
function wasSeen(target: Target | undefined, { url }: Address, now: Instant): boolean {
  const lastLookAt = target?.lastLookAt;
  if (lastLookAt === undefined || now - lastLookAt >= RECENT_MS) return false;
  const isBare = new URL(url).pathname === '/';
  return isBare || (target?.report?.probes ?? []).some((probe) => probe.url === url);
}

async function onRecord(
  db: Reader,
  hub: Hub,
  { url, origin }: Address,
  ip: string,
  fresh: boolean,
): Promise<OnRecord | undefined> {
  const target = await readTarget(db, origin);
  if (target === undefined) return undefined;
  const { report } = target;
  const isBare = new URL(url).pathname === '/';
  const isCard = report?.probes.some(({ step, url: at }) => step === 'card' && at === url) ?? false;
  const [first] = isBare || isCard ? (report?.found ?? []) : [];
  const code = (await listingAtEndpoint(db, url)) ?? first;
  const full = code === undefined ? undefined : await readListing(db, code);
  const looks = code === undefined ? [] : ((await probesOf(db, [code])).get(code) ?? []);
  const at = full?.listing.lastCheckedAt;
  const changes = code === undefined || at === undefined ? [] : await changesAt(db, code, at);
  return {
    url,
    target,
    full,
    looks,
    changes,
    quotes: await quotesOf(db, url),
    fresh,
    freshLeft: await freshLeft(db, hub, ip),
  };
}
