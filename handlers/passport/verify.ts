import { submitTarget } from '../../db/registry/targets.ts';
import type { Reader } from '../../db/store.ts';
import type { KeyId } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import {
  namesBoth,
  outcomeFor,
  provedBy,
  type Check,
  type ProofLook,
  type Ruling,
} from '../../domain/passport/domain.ts';
import { documentUrl, domainProofs, hasRecords, recordName } from '../../domain/passport/proof.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import { admitNow } from '../../workflows/kernel/admission.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Signer, Visitor } from '../../workflows/kernel/call.ts';
import { settleSigner } from '../../workflows/kernel/keyMoved.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { addressOf } from '../../workflows/registry/address.ts';
import { probeProofs } from '../../workflows/passport/proofProbes.ts';
import { claimableCall, claimCall, verifyCall } from '../../workflows/passport/nextCalls.ts';
import { mustOwn, ownPassport } from '../../workflows/passport/own.ts';
import { checksLeft, takeCheck } from '../../workflows/passport/quota.ts';
import { recordCheck } from '../../workflows/passport/record.ts';
import { CRAWL_TOPIC } from '../../workflows/topics.ts';
import { UNTRUSTED_PROFILES } from '../untrusted.ts';

type DomainCheck = Schemas['DomainCheck'];

/** Looks at a domain now, and records it under the asked key when that is proved. */
export const verify: Handler<'passport.verify'> = async ({ body, caller }, hub) => {
  const { origin, host: domain } = addressOf(hub, body.origin, 'body.origin');
  const asker = body.keyId === undefined ? undefined : signerOf(caller, body.keyId);
  if (asker !== undefined) await hub.store.read((db) => mustOwn(db, asker.signer, asker.keyId));
  await admitNow(hub, caller);
  await takeCheck(hub, origin, caller);
  const looks = await probeProofs(hub, origin);
  const at = hub.clock.now();
  const asked = asker?.keyId;
  const check = { domain, origin, looks, ...defined({ asked }) };
  const ruling = await hub.store.write(async (tx) => {
    if (asker !== undefined) await ownPassport(tx, hub, asker.signer, asker.keyId);
    const ruling = await recordCheck(tx, hub, check);
    // A refusal that records nothing leaves the signer's key free to join an account.
    const isKept = !ruling.contested || namesBoth(ruling, check);
    if (asker !== undefined && isKept) await settleSigner(hub.callers, tx, asker.signer);
    if (asked !== undefined && ruling.holder?.keyId === asked) {
      // Its owner need not wait for the next look; checks are rationed, so looks are as well.
      tx.publish(CRAWL_TOPIC);
      const named = { origin, host: domain, foundBy: 'submission', isOwner: true } as const;
      await submitTarget(tx, { ...named, now: hub.clock.now() });
    }
    return ruling;
  });
  if (ruling.contested) return refuseHeld(check, ruling);
  return {
    status: 200,
    body: await hub.store.read((db) => presentCheck(db, hub, { check, ruling, at, caller })),
  };
};

interface Asker {
  readonly signer: Signer;
  readonly keyId: KeyId;
}

/** Whose domain it is to be is decided by the signature alone. */
function signerOf(caller: Signer | Visitor, keyId: KeyId): Asker {
  if (caller.kind === 'signer') return { signer: caller, keyId };
  return refuse('unsigned', {
    error: 'A check that records a domain under a key is signed; this request has no signature.',
    hint: 'Sign it with a key of the same account, or leave `keyId` out.',
    field: 'body.keyId',
  });
}

function refuseHeld({ domain, origin, looks }: Check, { holder }: Ruling): never {
  const other = holder?.keyId ?? '';
  const isSeen = looks.some(({ keys }) => keys.some((key) => key === other));
  return refuse('domain-held', {
    error: isSeen
      ? `Your key is published for ${domain}, and so is ${other}, which holds it.`
      : `Your key is published for ${domain}, but ${other} holds it and the place of its proof could not be read.`,
    hint: `One domain has one holder. Leave your key alone at ${placesOf(origin)}, then send this again.`,
    field: 'body.origin',
  });
}

/** Where a proof can be; an address has no records. */
function placesOf(origin: string): string {
  const { hostname } = new URL(origin);
  const record = hasRecords(hostname) ? `${recordName(hostname)} and at ` : '';
  return `${record}${documentUrl(origin)}`;
}

interface Done {
  readonly check: Check;
  readonly ruling: Ruling;
  readonly at: Instant;
  readonly caller: Signer | Visitor;
}

async function presentCheck(db: Reader, hub: Hub, done: Done): Promise<DomainCheck> {
  const { check, ruling, at, caller } = done;
  const { domain, origin, looks, asked } = check;
  const { holder } = ruling;
  const proved = looks.some((look) => outcomeFor(look, asked) === 'found');
  const keyId = asked ?? looks.flatMap(({ keys }) => keys)[0];
  return {
    origin,
    domain,
    checkedAt: at,
    proved,
    recorded: proved && asked !== undefined && holder?.keyId === asked,
    keyId,
    ...(holder !== undefined && {
      holder: {
        keyId: holder.keyId,
        method: holder.method,
        lastConfirmedAt: holder.lastConfirmedAt,
      },
    }),
    looks: looks.map((look) => presentLook(look, asked)),
    publish: proved || asked === undefined ? [] : domainProofs(origin, asked),
    checksLeft: await checksLeft(db, hub, origin, caller),
    ...UNTRUSTED_PROFILES,
    next: nextOf(done),
  };
}

function presentLook(look: ProofLook, asked: KeyId | undefined): DomainCheck['looks'][number] {
  const { method, keys, seen, durationMs } = look;
  return {
    method,
    asked: look.asked,
    outcome: outcomeFor(look, asked),
    keys,
    seen,
    durationMs,
  };
}

function nextOf({ check, caller }: Done): DomainCheck['next'] {
  const { asked, looks, origin } = check;
  if (asked === undefined || caller.kind !== 'signer') return [];
  const { account } = caller;
  if (provedBy(looks, asked) === undefined) return [verifyCall(account, asked, origin)];
  return [claimCall(account, asked), claimableCall(account, asked)];
}
