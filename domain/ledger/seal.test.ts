import assert from 'node:assert/strict';
import { createVerify, hubKey, type HubKey } from '../../workflows/kernel/keys/ed25519.ts';
import { sha256Hex } from '../digest.ts';
import { instant } from '../instant.ts';
import { auditPath, leafHash, rootOf, type Hash } from '../time/merkle.ts';
import { minute } from '../time/minute.ts';
import { makePulse, type Pulse } from '../time/pulse.ts';
import { makeSeal, sealRoot, type Seal, type Sealable } from './seal.ts';
import { sealFaults, type SealedBlock, type VerifySeal } from './sealCheck.ts';

const HUB = hubKey(Buffer.alloc(32, 1));
const OTHER = hubKey(Buffer.alloc(32, 2));
const SEALED_AT = instant(Date.parse('2026-11-20T10:00:30Z'));
const PLACE = 1;

const verify = createVerify();
const verifySeal: VerifySeal = (keyId, message, signature) =>
  keyId === HUB.keyId && verify(HUB.publicKey, message, Buffer.from(signature, 'base64'));

const transfersFrom = (seq: number, count: number): readonly Sealable[] =>
  Array.from({ length: count }, (_, nth) => ({
    seq: seq + nth,
    digest: sha256Hex(`transfer ${seq + nth}`),
  }));
const sealOf = (transfers: readonly Sealable[], before?: Seal, key: HubKey = HUB): Seal => {
  const link = before && { blockNo: before.body.blockNo, digest: before.digest };
  return makeSeal(transfers, link, { sealedAt: SEALED_AT, keyId: key.keyId }, key.sign);
};
const pulseOver = (leaves: readonly Hash[], key: HubKey = HUB): Pulse =>
  makePulse(
    {
      chain: 'test',
      minute: minute(Date.parse('2026-11-20T10:00:00Z')),
      issuedAt: instant(Date.parse('2026-11-20T10:01:00.120Z')),
      head: undefined,
      root: rootOf(leaves),
      leaves: leaves.length,
      gap: null,
      clock: { source: 'system', synced: false, errorMs: 1_000 },
      random: Buffer.alloc(32),
      nextRandom: Buffer.alloc(32, 1),
      keyId: key.keyId,
      nextKeyId: undefined,
    },
    key.sign,
  );
/** A leaf of the pulse at `PLACE`, between two others. */
const leavesWith = (seal: Seal): readonly Hash[] =>
  [sha256Hex('before'), seal.digest, sha256Hex('after')].map((digest) =>
    leafHash(Buffer.from(digest, 'hex')),
  );

const first = sealOf(transfersFrom(1, 2));
const transfers = transfersFrom(3, 3);
const seal = sealOf(transfers, first);
const leaves = leavesWith(seal);
const path = auditPath(PLACE, leaves.length, (from, to) => rootOf(leaves.slice(from, to))).map(
  (hash) => Buffer.from(hash).toString('hex'),
);
const landed = { pulseSeq: 0, index: PLACE, path };
const GOOD: SealedBlock = { seal, before: first, transfers, landed, pulse: pulseOver(leaves) };

describe('makeSeal', () => {
  it('names the span, the count and the block before', () => {
    const { blockNo, fromSeq, toSeq, count, prevDigest, merkleRoot } = seal.body;
    assert.deepEqual([blockNo, fromSeq, toSeq, count], [1, 3, 5, 3]);
    assert.deepEqual([prevDigest, merkleRoot], [first.digest, sealRoot(transfers)]);
  });

  it('begins a chain with block 0, which has no digest before it', () => {
    assert.equal(first.body.blockNo, 0);
    assert.equal(first.body.prevDigest, '0'.repeat(64));
  });

  it('rejects a block without transfers', () => {
    assert.throws(() => sealOf([]), { name: 'RangeError', message: 'a block seals something' });
  });
});

describe('sealFaults', () => {
  const faults = (changed: Partial<SealedBlock>): readonly string[] =>
    sealFaults({ ...GOOD, ...changed }, verifySeal);
  const DIGEST = 'the digest of a block is that of its bytes';
  const SIGNED = 'a block is signed by a key of the hub';
  const BEFORE = 'a block names the one before';
  const COUNT = 'a block has the transfers that it counted';
  const ROOT = 'the transfers of a block have its root';
  const STAMP = 'a block leads to the pulse that stamped it';

  it('returns none for an intact block, with or without a pulse', () => {
    assert.deepEqual(faults({}), []);
    assert.deepEqual(faults({ landed: undefined, pulse: undefined }), []);
    assert.deepEqual(
      sealFaults(
        {
          seal: first,
          before: undefined,
          transfers: transfersFrom(1, 2),
          landed: undefined,
          pulse: undefined,
        },
        verifySeal,
      ),
      [],
    );
  });

  const [one, two, three] = transfers;
  const changed = { ...three, seq: 5, digest: sha256Hex('changed') };
  const otherSeal = sealOf(transfers, first, OTHER);
  const cases: readonly (readonly [string, Partial<SealedBlock>, readonly string[]])[] = [
    ['another digest', { seal: { ...seal, digest: first.digest } }, [DIGEST, STAMP]],
    ['another signature', { seal: { ...seal, signature: first.signature } }, [SIGNED]],
    ['a key of another hub', { seal: otherSeal, landed: undefined }, [SIGNED]],
    ['another block before', { before: sealOf(transfersFrom(1, 1)) }, [BEFORE]],
    ['no block before', { before: undefined }, [BEFORE]],
    ['a transfer too few', { transfers: transfers.slice(1) }, [COUNT, ROOT]],
    ['a changed transfer', { transfers: [one, two, changed].filter(isThere) }, [ROOT]],
    ['two transfers exchanged', { transfers: [two, one, three].filter(isThere) }, [ROOT]],
    ['no pulse where one stamped it', { pulse: undefined }, [STAMP]],
    ['a pulse of another tree', { pulse: pulseOver(leavesWith(first)) }, [STAMP]],
    ['a pulse with another digest', { pulse: { ...pulseOver(leaves), digest: 'aa' } }, [STAMP]],
    ['a pulse signed by another key', { pulse: pulseOver(leaves, OTHER) }, [STAMP]],
    ['another place in the pulse', { landed: { ...landed, index: 0 } }, [STAMP]],
    ['a place beyond the pulse', { landed: { ...landed, index: 3 } }, [STAMP]],
    ['another path', { landed: { ...landed, path: path.toReversed() } }, [STAMP]],
  ];
  for (const [what, block, expected] of cases) {
    it(`finds ${what}`, () => assert.deepEqual(faults(block), expected));
  }
});

function isThere(transfer: Sealable | undefined): transfer is Sealable {
  return transfer !== undefined;
}
