/**
 * The result of a check (spec/BYTES.md 9): ok with the facts worth showing, or the first fault. No
 * check throws because of the checked object, which is untrusted.
 */
export type Reason =
  | 'shape'
  | 'bytes'
  | 'digest'
  | 'unknown-key'
  | 'key-time'
  | 'signature'
  | 'rule'
  | 'chain'
  | 'stamp';

export interface Refused {
  readonly ok: false;
  readonly reason: Reason;
  /** Dotted path of the fault, such as `3.body.prev`; empty for the value as a whole. */
  readonly at: string;
  /** One sentence that quotes only names and key ids in their grammar. */
  readonly says: string;
}

export interface PulseFacts {
  readonly ok: true;
  readonly kind: 'pulse';
  readonly chain: string;
  readonly seq: number;
  readonly minute: string;
  readonly issuedAt: string;
  readonly leaves: number;
  readonly digest: string;
  readonly keyId: string;
}
export interface PulsesFacts {
  readonly ok: true;
  readonly kind: 'pulses';
  readonly chain: string;
  readonly count: number;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly fromMinute: string;
  readonly toMinute: string;
  /** Minutes between the first pulse and the last that the gaps state. */
  readonly missingMinutes: number;
  readonly digest: string;
  readonly keyIds: readonly string[];
}
export interface PromiseFacts {
  readonly ok: true;
  readonly kind: 'promise';
  readonly digest: string;
  readonly minute: string;
  readonly receivedAt: string;
  readonly keyId: string;
}
export interface ProofFacts {
  readonly ok: true;
  readonly kind: 'proof';
  readonly digest: string;
  readonly promisedMinute: string;
  readonly late: boolean;
  readonly leafIndex: number;
  readonly leaves: number;
  /** The pulse that it is in. */
  readonly seq: number;
  readonly minute: string;
  /** The digest existed no later than this. */
  readonly issuedAt: string;
  readonly keyId: string;
}
export interface KeptFacts {
  readonly ok: true;
  readonly kind: 'kept';
  readonly digest: string;
  readonly receivedAt: string;
  readonly promisedMinute: string;
  readonly late: boolean;
  readonly seq: number;
  readonly issuedAt: string;
  /** The key that promised. */
  readonly keyId: string;
}
export interface NowFacts {
  readonly ok: true;
  readonly kind: 'now';
  readonly now: string;
  /** Compare it with the nonce that you sent: equality shows that the answer is not an old one. */
  readonly nonce?: string;
  readonly headSeq?: number;
  readonly state: 'live' | 'stalled';
  readonly errorMs: number;
  readonly keyId: string;
}
export interface SealFacts {
  readonly ok: true;
  readonly kind: 'seal';
  readonly blockNo: number;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly count: number;
  readonly merkleRoot: string;
  readonly digest: string;
  readonly sealedAt: string;
  readonly keyId: string;
  /** The pulse that it was stamped in; absent without a proof. */
  readonly pulseSeq?: number;
  /** When that pulse was issued; absent without a proof. */
  readonly stampedAt?: string;
}
export interface SealsFacts {
  readonly ok: true;
  readonly kind: 'seals';
  readonly count: number;
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly fromSeq: number;
  readonly toSeq: number;
  /** How many of the blocks have a proof. */
  readonly stamped: number;
  readonly digest: string;
  readonly keyIds: readonly string[];
}
export interface AttestationFacts {
  readonly ok: true;
  readonly kind: 'attestation';
  readonly id: string;
  readonly agentId: string;
  readonly clientAddress: string;
  /** The rating from 1 to 5, times 20. */
  readonly value: number;
  readonly createdAt: string;
  readonly reason: string;
  /** The paid amount, in atomic units. */
  readonly amount: string;
  readonly network: string;
  readonly transferId: string;
  readonly digest: string;
  readonly keyId: string;
}
export interface LoggedFacts {
  readonly ok: true;
  readonly kind: 'logged';
  readonly leaf: string;
  readonly digest: string;
  readonly index: number;
  readonly size: number;
  readonly root: string;
  readonly origin: string;
  /** The keys of the hub that signed the checkpoint. */
  readonly keyIds: readonly string[];
}
export interface ConsistentFacts {
  readonly ok: true;
  readonly kind: 'consistent';
  readonly fromSize: number;
  readonly size: number;
  readonly root: string;
  readonly origin: string;
  readonly keyIds: readonly string[];
}
export type Facts =
  | PulseFacts
  | PulsesFacts
  | PromiseFacts
  | ProofFacts
  | KeptFacts
  | NowFacts
  | SealFacts
  | SealsFacts
  | AttestationFacts
  | LoggedFacts
  | ConsistentFacts;

/** A place and what is wrong there; the step that found it knows the reason. */
export interface Fault {
  readonly at: string;
  readonly says: string;
}

export function refused(reason: Reason, { at, says }: Fault): Refused {
  return { ok: false, reason, at, says };
}

/** `pulse` and `body.seq` give `pulse.body.seq`; the place of the whole value is empty. */
export function join(place: string, name: string): string {
  return place === '' ? name : `${place}.${name}`;
}
