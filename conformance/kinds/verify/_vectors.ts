import attestation from '../../../spec/vectors/attestation.json' with { type: 'json' };
import log from '../../../spec/vectors/log.json' with { type: 'json' };
import refusals from '../../../spec/vectors/refusals.json' with { type: 'json' };
import seal from '../../../spec/vectors/seal.json' with { type: 'json' };
import time from '../../../spec/vectors/time.json' with { type: 'json' };

/** The published objects as JSON values, each under a name that a failure can show. */
export interface Named {
  readonly name: string;
  readonly value: unknown;
}

const named = (
  kind: string,
  vectors: readonly { readonly case: string; readonly object: unknown }[],
): readonly Named[] =>
  vectors.map(({ case: name, object: value }) => ({ name: `${kind}, ${name}`, value }));

export const keys: unknown = time.keys;
export const seeds: Readonly<Record<string, string>> = time.seeds;
export const pulses = named('pulse', time.pulses);
export const promises = named('promise', time.promises);
export const proofs = named('proof', time.proofs);
export const nows = named('now', time.now);
export const blocks = named('block', seal.blocks);
export const attestations = named('attestation', attestation.attestations);
export const chains: readonly Named[] = [
  { name: 'chain of pulses', value: pulses.map(({ value }) => value) },
  { name: 'chain of blocks', value: blocks.map(({ value }) => value) },
];
export const kept: readonly Named[] = time.kept.map((pair) => ({
  name: `kept, ${pair.promise}`,
  value: {
    promise: time.promises.find((vector) => vector.case === pair.promise)?.object,
    proof: time.proofs.find((vector) => vector.case === pair.proof)?.object,
  },
}));
export const good: readonly Named[] = [
  ...[pulses, promises, proofs, nows, blocks, kept, chains, attestations].flat(),
];
export const refused: readonly (Named & { readonly reason: string; readonly at: string })[] =
  refusals.cases.map(({ case: name, ...rest }) => ({ name, ...rest }));
/** Proofs of the log. A receipt has members that no digest is of, so they are not corrupted. */
export const logProofs: readonly Named[] = [
  ...named('log', log.logged),
  ...named('log', log.consistent),
  ...named('log', log.refusals),
];
