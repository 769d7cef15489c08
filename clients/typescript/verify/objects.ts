import {
  brokenAttestationRule,
  brokenNowRule,
  brokenPromise,
  brokenPromiseRule,
  brokenProofRule,
  brokenPulseLink,
  brokenPulseRule,
  brokenSealLink,
  brokenSealRule,
  brokenStamp,
} from './rules.ts';
import { type Shape } from './shape.ts';
import {
  attestationShape,
  chainShape,
  nowShape,
  promiseShape,
  proofShape,
  pulseShape,
  sealedBlockShape,
  sealShape,
  type AttestationObject,
  type NowObject,
  type PromiseObject,
  type ProofObject,
  type PulseObject,
  type SealObject,
} from './shapes.ts';
import { checkAttested, checkSigned, type Checks, type Kind, type Signed } from './signed.ts';
import { join, refused, type Fault, type Reason, type Refused } from './verdict.ts';

/** Each object of spec/BYTES.md 9 by its steps in order: the object itself, or the fault. */
export type Checked<T> = { readonly ok: true; readonly value: T } | Refused;

interface Form<T extends Signed> {
  readonly kind: Kind;
  readonly shape: Shape<T>;
  /** The time that the object states, which its key must have been valid at. */
  readonly timeOf: (value: T) => string;
  readonly brokenRule: (value: T) => Fault | undefined;
}

const PULSE: Form<PulseObject> = {
  kind: 'pulse',
  shape: pulseShape,
  timeOf: ({ body }) => body.issuedAt,
  brokenRule: brokenPulseRule,
};
const PROMISE: Form<PromiseObject> = {
  kind: 'promise',
  shape: promiseShape,
  timeOf: ({ body }) => body.receivedAt,
  brokenRule: brokenPromiseRule,
};
const NOW: Form<NowObject> = {
  kind: 'now',
  shape: nowShape,
  timeOf: ({ body }) => body.now,
  brokenRule: brokenNowRule,
};
const SEAL: Form<SealObject> = {
  kind: 'seal',
  shape: sealShape,
  timeOf: ({ body }) => body.sealedAt,
  brokenRule: brokenSealRule,
};

type Check<T> = (x: unknown, at: string, checks: Checks) => Promise<Checked<T>>;

export const checkPulse: Check<PulseObject> = (x, at, checks) => checkOne(PULSE, x, at, checks);
export const checkPromise: Check<PromiseObject> = (x, at, checks) =>
  checkOne(PROMISE, x, at, checks);
export const checkNow: Check<NowObject> = (x, at, checks) => checkOne(NOW, x, at, checks);

export const checkProof: Check<ProofObject> = async (x, at, checks) => {
  const shaped = shapedAs(proofShape, x, at);
  if (!shaped.ok) return shaped;
  const { value } = shaped;
  const pulse = await checkRest(PULSE, value.pulse, join(at, 'pulse'), checks);
  if (!pulse.ok) return pulse;
  return refusedAt(at, 'rule', await brokenProofRule(value, checks.crypto)) ?? shaped;
};

/** A review that the hub vouches for. */
export const checkAttestation: Check<AttestationObject> = async (x, at, checks) => {
  const shaped = shapedAs(attestationShape, x, at);
  if (!shaped.ok) return shaped;
  const no = await checkAttested(shaped.value, at, checks);
  return no ?? refusedAt(at, 'rule', brokenAttestationRule(shaped.value)) ?? shaped;
};

export interface Kept {
  readonly promise: PromiseObject;
  readonly proof: ProofObject;
}

export async function checkKept(
  promise: unknown,
  proof: unknown,
  checks: Checks,
): Promise<Checked<Kept>> {
  const given = await checkPromise(promise, 'promise', checks);
  if (!given.ok) return given;
  const shown = await checkProof(proof, 'proof', checks);
  if (!shown.ok) return shown;
  const value = { promise: given.value, proof: shown.value };
  const fault = brokenPromise(value.promise, value.proof);
  return refusedAt('proof', 'stamp', fault) ?? { ok: true, value };
}

export interface Block {
  readonly seal: SealObject;
  readonly proof: ProofObject | undefined;
}

export const checkBlock: Check<Block> = async (x, at, checks) => {
  const shaped = shapedAs(sealedBlockShape, x, at);
  if (!shaped.ok) return shaped;
  const seal = await checkOne(SEAL, shaped.value.seal, join(at, 'seal'), checks);
  if (!seal.ok) return seal;
  let proof: ProofObject | undefined;
  if (Object.hasOwn(shaped.value, 'proof')) {
    const checked = await checkProof(shaped.value.proof, join(at, 'proof'), checks);
    if (!checked.ok) return checked;
    proof = checked.value;
  }
  const fault = brokenStamp(seal.value, proof);
  return refusedAt(at, 'stamp', fault) ?? { ok: true, value: { seal: seal.value, proof } };
};

/** A chain of pulses: each by itself, and right after that against the one before it. */
export function checkPulses(x: unknown, checks: Checks): Promise<Checked<readonly PulseObject[]>> {
  return checkChain(x, checkPulse, '', checks, (before, pulse) =>
    brokenPulseLink(before, pulse, checks.crypto),
  );
}

export function checkBlocks(x: unknown, checks: Checks): Promise<Checked<readonly Block[]>> {
  return checkChain(x, checkBlock, 'seal', checks, (before, block) =>
    brokenSealLink(before.seal, block.seal),
  );
}

/** `inner` is the member that the places of a broken link begin with. */
async function checkChain<T>(
  x: unknown,
  check: Check<T>,
  inner: string,
  checks: Checks,
  brokenLink: (before: T, next: T) => Fault | undefined | Promise<Fault | undefined>,
): Promise<Checked<readonly T[]>> {
  const shaped = shapedAs(chainShape, x, '');
  if (!shaped.ok) return shaped;
  const value: T[] = [];
  for (const [place, each] of shaped.value.entries()) {
    const at = String(place);
    const checked = await check(each, at, checks);
    if (!checked.ok) return checked;
    const before = value.at(-1);
    const fault = before === undefined ? undefined : await brokenLink(before, checked.value);
    const no = refusedAt(inner === '' ? at : join(at, inner), 'chain', fault);
    if (no !== undefined) return no;
    value.push(checked.value);
  }
  return { ok: true, value };
}

async function checkOne<T extends Signed>(
  form: Form<T>,
  x: unknown,
  at: string,
  checks: Checks,
): Promise<Checked<T>> {
  const shaped = shapedAs(form.shape, x, at);
  return shaped.ok ? checkRest(form, shaped.value, at, checks) : shaped;
}

/** Steps 2 to 7 of an object that has its shape. */
async function checkRest<T extends Signed>(
  { kind, timeOf, brokenRule }: Form<T>,
  value: T,
  at: string,
  checks: Checks,
): Promise<Checked<T>> {
  const place = { at, time: timeOf(value) };
  const no = await checkSigned(kind, value, place, checks);
  return no ?? refusedAt(at, 'rule', brokenRule(value)) ?? { ok: true, value };
}

/** Step 1: the value under its shape, or the first fault. */
export function shapedAs<T>(shape: Shape<T>, value: unknown, at: string): Checked<T> {
  let fault: Fault = { at, says: '' };
  const good = shape(value, at, (found) => {
    fault = found;
    return false;
  });
  return good ? { ok: true, value } : refused('shape', fault);
}

function refusedAt(place: string, reason: Reason, fault: Fault | undefined): Refused | undefined {
  if (fault === undefined) return undefined;
  return refused(reason, { at: join(place, fault.at), says: fault.says });
}
