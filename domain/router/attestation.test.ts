import assert from 'node:assert/strict';
import vectors from '../../spec/vectors/attestation.json' with { type: 'json' };
import timeVectors from '../../spec/vectors/time.json' with { type: 'json' };
import { hubKey } from '../../workflows/kernel/keys/ed25519.ts';
import type { Account } from '../account.ts';
import { instant, type Instant } from '../instant.ts';
import { atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';
import { attest, type Attested } from './attestation.ts';
import type { Settlement } from './review.ts';

type Vector = (typeof vectors.attestations)[number]['object'];

const KEYS = Object.values(timeVectors.seeds).map((seed) => hubKey(Buffer.from(seed, 'hex')));
const at = (text: string): Instant => instant(Date.parse(text));

/** The review that an attestation of the vectors states. */
function reviewIn(of: Vector): Attested {
  const { transferId, reason, amount, network, payer, payee, settledAt, seal } = of.settlement;
  const operation = of.mcp?.tool ?? of.a2a?.skills[0];
  const settlement: Settlement = {
    transferId: transferId as Settlement['transferId'],
    reason: reason as Settlement['reason'],
    amount: atomic(BigInt(amount)),
    network: network as NetworkId,
    payer: payer as Account,
    payee: payee as Account,
    at: at(settledAt),
    ...(operation !== undefined && { call: { listingId: of.agentId, operation } }),
  };
  const review = {
    id: of.id,
    listingId: of.agentId,
    reviewer: of.clientAddress as Account,
    rating: of.value / 20,
    settlement,
    at: at(of.createdAt),
    ...(seal && { seal }),
  };
  const listing = { kind: of.a2a === undefined ? 'mcp' : 'a2a', endpoint: of.endpoint } as const;
  return { review, listing, baseUrl: of.agentRegistry.slice('hub:'.length) };
}

describe('attestations (choices registry.feedback)', () => {
  for (const { case: title, object } of vectors.attestations) {
    it(`are signed as spec/vectors says: ${title}`, () => {
      const key = KEYS.find(({ keyId }) => keyId === object.proof.keyId);
      assert.ok(key !== undefined);
      assert.deepEqual(attest(reviewIn(object), key, at(object.proof.created)), object);
    });
  }
});
