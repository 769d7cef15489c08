import { sha256Hex } from '../../domain/digest.ts';
import type { Refused } from '../../domain/httpsig/inspect.ts';
import { iso } from '../../domain/instant.ts';
import type { Identity } from '../dispatch.ts';
import { refuse, type RefusalDetail } from '../errors.ts';
import type { Clock } from '../hub.ts';
import type { Identities } from '../identity.ts';
import { addressPartition, type Limits } from '../limits.ts';
import { takeUnit } from './rateLimit.ts';
import type { HubContext, Next } from './state.ts';

/** What a 401 asks for, in the terms of RFC 9421 section 5; no bearer token would help. */
const CHALLENGE = {
  'www-authenticate': 'Signature',
  'accept-signature': 'sig1=("@method" "@authority" "@path" "content-digest");created;alg="ed25519"',
};

/** Everything of the signature but the nonce, which is the last check of all. */
export function signature(identities: Identities, limits: Limits, clock: Clock) {
  return async (ctx: HubContext, next: Next): Promise<void> => {
    const { spec } = ctx.state;
    ctx.state.identity =
      spec.auth === 'signed' || spec.auth === 'optional'
        ? await identify(ctx, identities, clock)
        : { kind: 'visitor', ip: ctx.ip };
    countCaller(ctx, limits);
    await next();
  };
}

async function identify(
  ctx: HubContext,
  identities: Identities,
  clock: Clock,
): Promise<Identity> {
  const { req, state } = ctx;
  const found = identities.inspect({
    method: req.method ?? 'GET',
    target: state.target,
    headers: req.rawHeaders,
    body: state.rawBody,
  });
  if (found.kind === 'verified') {
    const account = await identities.accountOf(found.keyId);
    return { kind: 'signer', ip: ctx.ip, account, keyId: found.keyId, nonce: found.nonce };
  }
  if (found.kind === 'unsigned') {
    if (state.spec.auth === 'optional') return { kind: 'visitor', ip: ctx.ip };
    return refuse('unsigned', { error: `${state.spec.id} is signed: ${found.detail}.` }, CHALLENGE);
  }
  return refuse(found.reason, helpOf(found, clock), CHALLENGE);
}

/** A 401 helps: the one missing thing, the base that the hub built, the hub's time. */
function helpOf(found: Refused, clock: Clock): RefusalDetail {
  return {
    error: `${found.detail}.`,
    ...(found.component !== undefined && { field: found.component }),
    ...(found.reason === 'stale' && { hubTime: iso(clock.now()) }),
    ...(found.base !== undefined &&
      found.reason === 'unknown-key' && {
        signatureBase: found.base,
        signatureBaseSha256: sha256Hex(found.base),
      }),
  };
}

/**
 * A verified caller is counted on its account, and the operation's own policy on top. A visitor whose
 * signature nobody asked for is counted like every other visitor.
 */
function countCaller(ctx: HubContext, limits: Limits): void {
  const { identity, spec } = ctx.state;
  const address = addressPartition(ctx.ip);
  const account = identity.kind === 'visitor' ? address : identity.account;
  const byAddress = identity.kind === 'visitor' && !ctx.state.counted;
  ctx.state.counted = true;
  if (identity.kind !== 'visitor') takeUnit(ctx, limits, 'signed', account);
  if (byAddress) takeUnit(ctx, limits, 'anon', address);
  if (spec.limit !== undefined) {
    const partition = limits.partitionOf(spec.limit) === 'ip' ? address : account;
    takeUnit(ctx, limits, spec.limit, partition);
  }
}
