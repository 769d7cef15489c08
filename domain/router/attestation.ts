import type { KeyId } from '../account.ts';
import { defined } from '../defined.ts';
import { sha256Hex } from '../digest.ts';
import { iso, type Instant } from '../instant.ts';
import { canonical } from '../json.ts';
import type { Sign } from '../time/signedObject.ts';
import type { ListingKind } from '../registry/listing.ts';
import type { Review } from './review.ts';

/**
 * A review as ERC-8004 off-chain feedback (choices registry.feedback), signed to be checked without
 * the hub. Nothing here has a chain identity, so identifiers are the hub's own, and money of the
 * ledger is stated in `settlement`, never as a transaction of a chain.
 */
interface AttestationProof {
  readonly alg: 'ed25519';
  readonly keyId: KeyId;
  readonly created: string;
  readonly digest: string;
  readonly signature: string;
}

export interface Attested {
  readonly review: Review;
  readonly listing: { readonly kind: ListingKind; readonly endpoint: string };
  readonly baseUrl: string;
}

const PREFIX = 'hub/attestation/v1\n';
const VALUE_OF_ONE = 20;

/** The payment behind a review, as the wire has it. */
export function presentSettlement({ settlement, seal }: Pick<Review, 'settlement' | 'seal'>) {
  const { transferId, reason, amount, network, payer, payee, at } = settlement;
  return {
    transferId,
    reason,
    amount: `${amount}`,
    asset: 'USDC' as const,
    network,
    payer,
    payee,
    settledAt: iso(at),
    ...defined({ seal }),
  };
}

/** The signed bytes are the canonical JSON of all of it but the digest and the signature. */
export function attest(
  { review, listing, baseUrl }: Attested,
  key: { readonly keyId: KeyId; readonly sign: Sign },
  now: Instant,
) {
  const operation = review.settlement.call?.operation;
  const claims = {
    id: review.id,
    agentRegistry: `hub:${baseUrl}`,
    agentId: review.listingId,
    clientAddress: review.reviewer,
    createdAt: iso(review.at),
    value: review.rating * VALUE_OF_ONE,
    valueDecimals: 0 as const,
    tag1: 'starred' as const,
    endpoint: listing.endpoint,
    ...(operation !== undefined && calledBy(listing.kind, operation)),
    scope: 'off-chain' as const,
    settlement: presentSettlement(review),
  };
  const vouched = { alg: 'ed25519' as const, keyId: key.keyId, created: iso(now) };
  const text = PREFIX + canonical({ ...claims, proof: vouched });
  const message = Buffer.from(text, 'utf8');
  const signature = Buffer.from(key.sign(message)).toString('base64');
  const proof: AttestationProof = { ...vouched, digest: sha256Hex(message), signature };
  return { ...claims, proof };
}

function calledBy(kind: ListingKind, operation: string) {
  return kind === 'mcp' ? { mcp: { tool: operation } } : { a2a: { skills: [operation] } };
}
