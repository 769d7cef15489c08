import { webCrypto, type VerifyCrypto } from './crypto.ts';
import {
  attestationFacts,
  blockFacts,
  blocksFacts,
  keptFacts,
  nowFacts,
  promiseFacts,
  proofFacts,
  pulseFacts,
  pulsesFacts,
} from './facts.ts';
import { readKeys } from './keyList.ts';
import { checkConsistent, checkLogged } from './log.ts';
import {
  checkAttestation,
  checkBlock,
  checkBlocks,
  checkKept,
  checkNow,
  checkPromise,
  checkProof,
  checkPulse,
  checkPulses,
  shapedAs,
  type Checked,
} from './objects.ts';
import { isObject } from './shape.ts';
import { keptShape } from './shapes.ts';
import type { Checks } from './signed.ts';
import type * as verdict from './verdict.ts';

type Answer<F> = Promise<F | verdict.Refused>;

/**
 * Checks what a hub signed, without the hub (spec/BYTES.md). Each function takes the JSON value and
 * the JSON of `GET /keys`, saved from a trusted connection. It answers the facts or the first
 * fault, and rejects with TypeError only when the list of keys cannot be used.
 */
export interface Verifier {
  pulse(x: unknown, keys: unknown): Answer<verdict.PulseFacts>;
  pulses(list: unknown, keys: unknown): Answer<verdict.PulsesFacts>;
  promise(x: unknown, keys: unknown): Answer<verdict.PromiseFacts>;
  proof(x: unknown, keys: unknown): Answer<verdict.ProofFacts>;
  /** That a proof keeps a promise. */
  kept(promise: unknown, proof: unknown, keys: unknown): Answer<verdict.KeptFacts>;
  /** The signed time; that it has your nonce is for you to see in the facts. */
  now(x: unknown, keys: unknown): Answer<verdict.NowFacts>;
  /** A sealed block, `{seal, proof}`. */
  seal(x: unknown, keys: unknown): Answer<verdict.SealFacts>;
  seals(list: unknown, keys: unknown): Answer<verdict.SealsFacts>;
  /** A review as ERC-8004 feedback, with the hub's proof. */
  attestation(x: unknown, keys: unknown): Answer<verdict.AttestationFacts>;
  /** A receipt with the answer of `log.proof`, `{receipt, proof}`. */
  logged(x: unknown, keys: unknown): Answer<verdict.LoggedFacts>;
  /** An earlier checkpoint with the answer of `log.consistency`, `{before, after}`. */
  consistent(x: unknown, keys: unknown): Answer<verdict.ConsistentFacts>;
  /** Any of these; `{promise, proof}` stands for `kept`. */
  file(x: unknown, keys: unknown): Answer<verdict.Facts>;
}

export function createVerifier(crypto: VerifyCrypto): Verifier {
  const checks = (keys: unknown): Checks => ({ crypto, keys: readKeys(keys) });
  const verifier: Verifier = {
    pulse: async (x, keys) => answer(await checkPulse(x, '', checks(keys)), pulseFacts),
    pulses: async (list, keys) => answer(await checkPulses(list, checks(keys)), pulsesFacts),
    promise: async (x, keys) => answer(await checkPromise(x, '', checks(keys)), promiseFacts),
    proof: async (x, keys) => answer(await checkProof(x, '', checks(keys)), proofFacts),
    kept: async (promise, proof, keys) =>
      answer(await checkKept(promise, proof, checks(keys)), keptFacts),
    now: async (x, keys) => answer(await checkNow(x, '', checks(keys)), nowFacts),
    seal: async (x, keys) => answer(await checkBlock(x, '', checks(keys)), blockFacts),
    seals: async (list, keys) => answer(await checkBlocks(list, checks(keys)), blocksFacts),
    attestation: async (x, keys) =>
      answer(await checkAttestation(x, '', checks(keys)), attestationFacts),
    logged: async (x, keys) => checkLogged(x, checks(keys)),
    consistent: async (x, keys) => checkConsistent(x, checks(keys)),
    file: async (x, keys) => recognise(verifier, x, keys),
  };
  return verifier;
}

/** The verifier that runs wherever WebCrypto is; `@agent-exchange/client/node` has a faster one. */
export const verify: Verifier = createVerifier(webCrypto);

/** Selects the check by the members that distinguish the kinds (spec/BYTES.md 9, the files). */
async function recognise(verifier: Verifier, x: unknown, keys: unknown): Answer<verdict.Facts> {
  if (Array.isArray(x))
    return has(x[0], 'seal') ? verifier.seals(x, keys) : verifier.pulses(x, keys);
  if (has(x, 'seal')) return verifier.seal(x, keys);
  if (has(x, 'promise')) return keptFile(verifier, x, keys);
  if (has(x, 'receipt')) return verifier.logged(x, keys);
  if (has(x, 'before')) return verifier.consistent(x, keys);
  if (has(x, 'pulse')) return verifier.proof(x, keys);
  if (has(x, 'agentRegistry')) return verifier.attestation(x, keys);
  const body: unknown = has(x, 'body') ? Reflect.get(x, 'body') : undefined;
  if (has(body, 'unixMs')) return verifier.now(x, keys);
  if (has(body, 'receivedAt')) return verifier.promise(x, keys);
  if (has(body, 'seq')) return verifier.pulse(x, keys);
  readKeys(keys);
  const says = 'The value is none of the objects that a hub signs.';
  return { ok: false, reason: 'shape', at: '', says };
}

async function keptFile(verifier: Verifier, x: object, keys: unknown): Answer<verdict.Facts> {
  const shaped = shapedAs(keptShape, x, '');
  if (shaped.ok) return verifier.kept(shaped.value.promise, shaped.value.proof, keys);
  readKeys(keys);
  return shaped;
}

function has(value: unknown, name: string): value is object {
  return isObject(value) && Object.hasOwn(value, name);
}

function answer<T, F>(checked: Checked<T>, factsOf: (value: T) => F): F | verdict.Refused {
  return checked.ok ? factsOf(checked.value) : checked;
}
