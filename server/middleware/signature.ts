import { defined } from '../../domain/defined.ts';
import { sha256Hex } from '../../domain/digest.ts';
import type { Account } from '../../domain/account.ts';
import type { Refused, Verified } from '../../domain/httpsig/inspect.ts';
import { iso } from '../../domain/instant.ts';
import type { Identity } from '../http/wire.ts';
import { withGaps } from '../../workflows/kernel/faultList.ts';
import { HubError, refuse, type RefusalDetail } from '../../workflows/kernel/errors.ts';
import { refuseApiKey } from '../../workflows/kernel/apiKey.ts';
import type { Clock } from '../../workflows/kernel/clock.ts';
import type { Identities } from '../http/identity.ts';
import type { Limits } from '../http/limits.ts';
import { hasBody } from './bodyRefusals.ts';
import type { Exchange, Routed } from './exchange.ts';
import { countNewcomer, countUnverified } from './rateLimit.ts';
import { sendsKey, sentKey } from './sentKey.ts';

/** The challenge of a 401, in the terms of RFC 9421 section 5; no bearer token would help. */
const CHALLENGE = {
  'www-authenticate': 'Signature',
  'accept-signature':
    'sig1=("@method" "@authority" "@path" "content-digest");created;alg="ed25519"',
};

/** As much of a signature base as the Error schema takes. */
const BASE_LENGTH_MAX = 16_384;

/** Who sends a request, as far as its headers alone prove it. */
export type Claim = Identity | Verified;

/**
 * Judges the headers, so that the body of a request that is refused for them is not read. The body
 * and the nonce, which is the last check of all, come later.
 */
export async function judgeHead(
  { exchange, spec }: Routed,
  identities: Identities,
  clock: Clock,
): Promise<Claim> {
  const { ip } = exchange;
  if (spec.auth === 'api-key') return keyHolder(exchange, identities);
  const isPublic = spec.auth === 'public';
  if (isPublic && !claimsSignature(exchange)) return { kind: 'visitor', ip };
  const request = { ...exchange.raw, announcesBody: hasBody(exchange.request) };
  const found = identities.inspectHead(request);
  if (isPublic) return found.kind === 'verified' ? found : { kind: 'visitor', ip };
  if (found.kind === 'unsigned') {
    if (spec.auth === 'optional') return { kind: 'visitor', ip };
    const error = `${spec.id} is signed: ${found.detail}.`;
    throw withGaps(new HubError('unsigned', { error }, CHALLENGE), request);
  }
  if (found.kind === 'refused') {
    const refusal = new HubError(found.reason, helpOf(found, clock), CHALLENGE);
    throw withGaps(refusal, request);
  }
  return found;
}

/** Compares the body that was read with the claim, and finds the account of the key. */
export async function identify(
  { exchange, spec, claim }: Routed & { readonly claim: Claim },
  identities: Identities,
  clock: Clock,
  limits: Limits,
): Promise<Identity> {
  if (spec.auth === 'public') {
    exchange.reader = await readerOf({ exchange, claim }, identities, limits);
    return { kind: 'visitor', ip: exchange.ip };
  }
  if (claim.kind !== 'verified') return claim;
  const found = identities.inspectBody(claim, exchange.raw);
  if (found.kind === 'refused') return refuse(found.reason, helpOf(found, clock), CHALLENGE);
  const { keyId, nonce } = claim;
  const account = await identities.accountOf(keyId, () => countNewcomer(exchange, limits));
  return { kind: 'signer', ip: exchange.ip, account, keyId, nonce };
}

/**
 * The account that a public call is counted against: a signature proves nothing else there, and its
 * nonce is not spent. So each is good for one count, or a copy of it would use up the account.
 */
async function readerOf(
  { exchange, claim }: { readonly exchange: Exchange; readonly claim: Claim },
  identities: Identities,
  limits: Limits,
): Promise<Account | undefined> {
  if (!claimsSignature(exchange)) return undefined;
  const isProved =
    claim.kind === 'verified' &&
    identities.inspectBody(claim, exchange.raw).kind === 'verified' &&
    identities.isFirstCount(claim.keyId, claim.nonce);
  if (!isProved) {
    countUnverified(exchange, limits);
    return undefined;
  }
  const { rate } = exchange;
  try {
    return await identities.readerOf(claim.keyId, () => countNewcomer(exchange, limits));
  } catch {
    // The call itself needs no account: it counts against its address, as an unsigned one does.
    exchange.rate = rate;
    return undefined;
  }
}

function claimsSignature({ request }: Exchange): boolean {
  return request.headers['signature-input'] !== undefined;
}

/** An API key opens the compatible door and nothing else (Authentication 12). */
async function keyHolder({ ip, request }: Exchange, identities: Identities): Promise<Identity> {
  if (!sendsKey(request.headers)) {
    return refuseApiKey(
      'The API key is absent: send Authorization: Bearer <key>, or x-api-key or x-goog-api-key.',
    );
  }
  const key = sentKey(request.headers);
  const found = key === undefined ? undefined : await identities.keyHolder(key);
  return found === undefined ? refuseApiKey() : { kind: 'key-holder', ip, ...found };
}

/** A 401 helps: the one missing thing, the base that the hub built, the hub's time. */
function helpOf(found: Refused, clock: Clock): RefusalDetail {
  return {
    error: `${found.detail}.`,
    ...defined({ field: found.component }),
    ...(found.reason === 'stale' && { hubTime: iso(clock.wall()) }),
    ...(found.base !== undefined &&
      found.reason === 'unknown-key' && {
        // Several components may repeat a long target; its digest then says enough.
        ...(found.base.length <= BASE_LENGTH_MAX && { signatureBase: found.base }),
        signatureBaseSha256: sha256Hex(found.base),
      }),
  };
}
