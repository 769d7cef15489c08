import assert from 'node:assert/strict';
import merkleVectors from '../../spec/vectors/merkle.json' with { type: 'json' };
import sealVectors from '../../spec/vectors/seal.json' with { type: 'json' };
import timeVectors from '../../spec/vectors/time.json' with { type: 'json' };
import { hubKey, type HubKey } from '../../workflows/kernel/keys/ed25519.ts';
import { sha256, sha256Hex } from '../digest.ts';
import { instant, type Instant } from '../instant.ts';
import { canonical } from '../json.ts';
import { makeSeal } from '../ledger/seal.ts';
import { auditPath, leafHash, rootOf, type Hash } from './merkle.ts';
import { minute, type Minute } from './minute.ts';
import { gapBefore, makePulse, type Head, type Pulse } from './pulse.ts';
import { PREFIXES, signObject, type Kind } from './signedObject.ts';

/**
 * The published vectors (spec/BYTES.md) made again from their inputs with the hub's own code: a
 * change of one byte of what the hub signs fails here.
 */
type PulseVector = (typeof timeVectors.pulses)[number];

const { seeds } = timeVectors;
const CLOCK = { source: 'system', synced: false, errorMs: 1_000 } as const;

const fromHex = (text: string): Buffer => Buffer.from(text, 'hex');
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const at = (text: string): Instant => instant(Date.parse(text));
const minuteAt = (text: string): Minute => minute(Date.parse(text));
const leavesOf = (digests: readonly string[]): readonly Hash[] =>
  digests.map((digest) => leafHash(fromHex(digest)));
const pathOf = (leaves: readonly Hash[], index: number): readonly string[] =>
  auditPath(index, leaves.length, (from, to) => rootOf(leaves.slice(from, to))).map(hex);

function keyOf(name: string): HubKey {
  const seed = Object.entries(seeds).find(([known]) => known === name)?.[1];
  assert.ok(seed !== undefined, `no seed ${name}`);
  return hubKey(fromHex(seed));
}

function pulseCase(name: string): PulseVector {
  const found = timeVectors.pulses.find((vector) => vector.case === name);
  assert.ok(found !== undefined, `no pulse ${name}`);
  return found;
}

/** The two forms that a vector shows of the bytes before they are signed. */
function assertForms(
  kind: Kind,
  body: unknown,
  vector: { readonly canonical: string; readonly bytesHex: string },
): void {
  assert.equal(vector.canonical, canonical(body));
  assert.equal(vector.bytesHex, hex(Buffer.from(PREFIXES[kind] + canonical(body), 'utf8')));
}

describe('the vectors of the tree', () => {
  const hashes = merkleVectors.inputs.map((input) => leafHash(fromHex(input)));

  it('are made again', () => {
    assert.deepEqual(merkleVectors.leafHashes, hashes.map(hex));
    assert.equal(merkleVectors.trees.length, hashes.length + 1);
    for (const [size, tree] of merkleVectors.trees.entries()) {
      const leaves = hashes.slice(0, size);
      const paths = leaves.map((_, index) => pathOf(leaves, index));
      assert.deepEqual(tree, { leaves: size, root: hex(rootOf(leaves)), paths });
    }
    const { of, root } = merkleVectors.digests;
    assert.equal(root, hex(rootOf(of.map((text) => leafHash(sha256(text))))));
  });
});

describe('the vectors of the time app', () => {
  it('list the keys of their seeds', () => {
    const made = Object.keys(seeds).map((name) => keyOf(name));
    const listed = new Map(timeVectors.keys.keys.map((key) => [key.keyId, key.publicKeyHex]));
    assert.deepEqual(listed, new Map(made.map((key) => [key.keyId, hex(key.publicKey)])));
  });

  it('make every pulse again out of its parts and the one before', () => {
    let head: Head | undefined;
    for (const vector of timeVectors.pulses) {
      const pulse = pulseOf(vector, head);
      assert.deepEqual(vector.object, pulse, vector.case);
      assertForms('pulse', pulse.body, vector);
      const { seq } = pulse.body;
      const [own, issuedAt] = [minuteAt(vector.minute), at(vector.issuedAt)];
      head = { seq, minute: own, issuedAt, digest: pulse.digest };
    }
  });

  it('begin with the pulse that was measured before the hub was written', () => {
    const [first] = timeVectors.pulses;
    assert.equal(
      first?.object.digest,
      'ac595bc371d1584cf5f800529d8dc32a0c44ad982b98679524c4dbd3b61ec571',
    );
    assert.equal(
      first?.object.signature,
      'dmq8sejHUWx/nhDzJ8rE5hCRBmtXFy5g/rD/U6wew/8TUn0xpQdvaj/dv+Yu+z9K3Raw4Tnmd+TP454ioJP+DA==',
    );
  });

  for (const kind of ['now', 'promise'] as const) {
    it(`make every ${kind} again`, () => {
      const vectors = kind === 'now' ? timeVectors.now : timeVectors.promises;
      for (const vector of vectors) {
        const { body, bytes, signature } = vector.object;
        const made = signObject(kind, body, keyOf(vector.seed).sign);
        assert.deepEqual([bytes, signature], [made.bytes, made.signature], vector.case);
        assertForms(kind, body, vector);
      }
    });
  }

  it('make every proof again', () => {
    for (const { case: name, pulse, leafIndex, promisedMinute, object } of timeVectors.proofs) {
      assert.deepEqual(object, proofOf(pulse, leafIndex, promisedMinute), name);
    }
  });
});

describe('the vectors of the journal', () => {
  it('digest the transfer that they show', () => {
    const { document, canonical: text, digest } = sealVectors.transfer;
    assert.equal(text, canonical(document));
    assert.equal(digest, sha256Hex(text));
    assert.equal(sealVectors.blocks[0]?.transfers[0]?.digest, digest);
  });

  it('make every block again, with its proof', () => {
    let before: { readonly blockNo: number; readonly digest: string } | undefined;
    for (const vector of sealVectors.blocks) {
      const { keyId, sign } = keyOf(vector.seed);
      const sealedAt = at(vector.sealedAt);
      const made = makeSeal(vector.transfers, before, { sealedAt, keyId }, sign);
      const { stampedIn, pulse, leafIndex, object } = vector;
      if (pulse === undefined || leafIndex === undefined) {
        assert.deepEqual(object, { seal: { ...made, stampedIn } }, vector.case);
      } else {
        const pulseSeq = pulseCase(pulse).object.body.seq;
        const seal = { ...made, stampedIn, pulseSeq };
        assert.deepEqual(object, { seal, proof: proofOf(pulse, leafIndex) }, vector.case);
      }
      assertForms('seal', made.body, vector);
      before = { blockNo: made.body.blockNo, digest: made.digest };
    }
  });
});

function pulseOf(vector: PulseVector, head: Head | undefined): Pulse {
  const key = keyOf(vector.seed);
  const leaves = leavesOf(vector.leaves);
  const own = minuteAt(vector.minute);
  // The process of these vectors began in the minute before a gap ends, or long ago.
  const since = vector.gap === null ? instant(0) : at(vector.gap.to);
  const parts = {
    chain: 'hub-time-1',
    minute: own,
    issuedAt: at(vector.issuedAt),
    head,
    root: rootOf(leaves),
    leaves: leaves.length,
    gap: gapBefore(own, head, { since, landedIn: undefined }),
    clock: CLOCK,
    random: fromHex(vector.random),
    nextRandom: fromHex(vector.nextRandom),
    keyId: key.keyId,
    nextKeyId: vector.nextSeed === undefined ? undefined : keyOf(vector.nextSeed).keyId,
  };
  return makePulse(parts, key.sign);
}

function proofOf(pulseName: string, leafIndex: number, promised?: string): object {
  const { leaves: digests, object: pulse } = pulseCase(pulseName);
  const leaves = leavesOf(digests);
  return {
    digest: digests[leafIndex],
    promisedMinute: promised ?? pulse.body.minute,
    ...(promised !== undefined && { late: true }),
    leafIndex,
    leaves: leaves.length,
    path: pathOf(leaves, leafIndex),
    root: hex(rootOf(leaves)),
    pulse,
  };
}
