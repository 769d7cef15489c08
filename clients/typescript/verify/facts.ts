import { msOf, MINUTE_MS } from './grammar.ts';
import type { Block, Kept } from './objects.ts';
import type {
  AttestationObject,
  NowObject,
  PromiseObject,
  ProofObject,
  PulseObject,
} from './shapes.ts';
import type {
  AttestationFacts,
  KeptFacts,
  NowFacts,
  PromiseFacts,
  ProofFacts,
  PulseFacts,
  PulsesFacts,
  SealFacts,
  SealsFacts,
} from './verdict.ts';
import { defined } from '../../../domain/defined.ts';

export function pulseFacts({ body, digest }: PulseObject): PulseFacts {
  const { chain, seq, minute, issuedAt, leaves, keyId } = body;
  return { ok: true, kind: 'pulse', chain, seq, minute, issuedAt, leaves, digest, keyId };
}

/** Facts of a chain that has a first pulse; throws RangeError on none, which no check lets pass. */
export function pulsesFacts(pulses: readonly PulseObject[]): PulsesFacts {
  const { first, last } = ends(pulses);
  const minutes = (msOf(last.body.minute) - msOf(first.body.minute)) / MINUTE_MS + 1;
  return {
    ok: true,
    kind: 'pulses',
    chain: last.body.chain,
    count: pulses.length,
    fromSeq: first.body.seq,
    toSeq: last.body.seq,
    fromMinute: first.body.minute,
    toMinute: last.body.minute,
    missingMinutes: minutes - pulses.length,
    digest: last.digest,
    keyIds: [...new Set(pulses.map(({ body }) => body.keyId))],
  };
}

export function attestationFacts(x: AttestationObject): AttestationFacts {
  const { id, agentId, clientAddress, value, createdAt, settlement, proof } = x;
  const { reason, amount, network, transferId } = settlement;
  const { digest, keyId } = proof;
  const statement = { id, agentId, clientAddress, value, createdAt };
  const paid = { reason, amount, network, transferId };
  return { ok: true, kind: 'attestation', ...statement, ...paid, digest, keyId };
}

export function promiseFacts({ body }: PromiseObject): PromiseFacts {
  const { digest, minute, receivedAt, keyId } = body;
  return { ok: true, kind: 'promise', digest, minute, receivedAt, keyId };
}

export function proofFacts(proof: ProofObject): ProofFacts {
  const { digest, promisedMinute, leafIndex, leaves } = proof;
  const { seq, minute, issuedAt, keyId } = proof.pulse.body;
  const pulse = { seq, minute, issuedAt, keyId };
  const late = proof.late === true;
  return { ok: true, kind: 'proof', digest, promisedMinute, late, leafIndex, leaves, ...pulse };
}

export function keptFacts({ promise, proof }: Kept): KeptFacts {
  const { digest, receivedAt, keyId } = promise.body;
  const { promisedMinute } = proof;
  const { seq, issuedAt } = proof.pulse.body;
  const late = proof.late === true;
  const landed = { promisedMinute, late, seq, issuedAt };
  return { ok: true, kind: 'kept', digest, receivedAt, ...landed, keyId };
}

export function nowFacts({ body }: NowObject): NowFacts {
  const { now, nonce, head, chain, clock, keyId } = body;
  return {
    ok: true,
    kind: 'now',
    now,
    ...defined({ nonce }),
    ...(head !== undefined && { headSeq: head.seq }),
    state: chain.state,
    errorMs: clock.errorMs,
    keyId,
  };
}

export function blockFacts({ seal, proof }: Block): SealFacts {
  const { blockNo, fromSeq, toSeq, count, merkleRoot, sealedAt, keyId } = seal.body;
  const { digest } = seal;
  const pulse = proof?.pulse.body;
  return {
    ok: true,
    kind: 'seal',
    blockNo,
    fromSeq,
    toSeq,
    count,
    merkleRoot,
    digest,
    sealedAt,
    keyId,
    ...(pulse !== undefined && { pulseSeq: pulse.seq, stampedAt: pulse.issuedAt }),
  };
}

export function blocksFacts(blocks: readonly Block[]): SealsFacts {
  const { first, last } = ends(blocks);
  return {
    ok: true,
    kind: 'seals',
    count: blocks.length,
    fromBlock: first.seal.body.blockNo,
    toBlock: last.seal.body.blockNo,
    fromSeq: first.seal.body.fromSeq,
    toSeq: last.seal.body.toSeq,
    stamped: blocks.filter(({ proof }) => proof !== undefined).length,
    digest: last.seal.digest,
    keyIds: [...new Set(blocks.map(({ seal }) => seal.body.keyId))],
  };
}

function ends<T>(chain: readonly T[]): { readonly first: T; readonly last: T } {
  const [first, last] = [chain[0], chain.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('a chain has a first link');
  return { first, last };
}
