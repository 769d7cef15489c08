import {
  keyBytes,
  keyIdOf,
  KEY_BYTES,
  parseAccount,
  type Account,
  type KeyId,
} from '../account.ts';
import { defined } from '../defined.ts';
import { instant, iso, parseInstant, unixSeconds, type Instant } from '../instant.ts';
import { ed25519Jwk } from '../jwk.ts';
import { isObject, listOf, type JsonObject } from '../jsonObject.ts';
import { atomic, parseAtomic, AMOUNT_MAX, type Atomic } from '../money.ts';
import { ASSET, parseNetworkId } from '../network.ts';
import { bytesOf } from './sdJwt.ts';
import { narrower, sooner, windowEnd, type KeyPolicy } from './policy.ts';
import { head } from '../text.ts';

/**
 * A spending policy as an AP2 mandate, and back (choices wallet.mandates). Limits use the
 * constraints of AP2 where it has them, else one of the hub's own type: a constraint and no claim,
 * because readers must fail a mandate with an unknown constraint, and may overlook a claim.
 */
export const MANDATE_TYPE = 'urn:agent-exchange:mandate:spending:1';
/** The open payment mandate of AP2 itself. */
const AP2_TYPE = 'mandate.payment.open.1';
const OWN_LIMITS = 'urn:agent-exchange:constraint:spending:1';
/** The payee that stands for the prices of the hub which acts on a mandate. */
const HUB_PAYEE = 'urn:agent-exchange:payee:hub';
const LISTED_MAX = 100;
const CLOCK_SKEW_MS = 60_000;
const DECIMALS = /^(\d{1,9})(?:\.(\d+))?$/;

const OWN_AMOUNTS = ['perHour', 'perDay', 'perMonth', 'approveAbove'] as const;
const OWN_LISTS = { operations: 64, tools: 128, models: 200, networks: 32 } as const;

/** Returns the content of a mandate for a key; its end is that of the policy, in whole seconds. */
export function mandateContent(policy: KeyPolicy, keyId: KeyId, now: Instant): JsonObject {
  const { perCall, counterparties, expiresAt, ...own } = policy;
  const key = keyBytes(keyId);
  if (key === undefined) throw new RangeError(`no key: ${keyId}`);
  return {
    vct: MANDATE_TYPE,
    constraints: [
      ...(perCall === undefined ? [] : [amountRange(perCall)]),
      ...(counterparties === undefined ? [] : [allowedPayees(counterparties)]),
      ...(Object.keys(own).length === 0 ? [] : [{ type: OWN_LIMITS, ...wireOf(own) }]),
    ],
    cnf: { jwk: ed25519Jwk(key) },
    iat: unixSeconds(now),
    ...(expiresAt !== undefined && { exp: unixSeconds(expiresAt) }),
  };
}

function amountRange(max: Atomic): JsonObject {
  return { type: 'payment.amount_range', currency: ASSET, max: Number(max) };
}

function allowedPayees(accounts: readonly Account[]): JsonObject {
  const payees = accounts.map((id) => ({ id, name: id }));
  const hub = { id: HUB_PAYEE, name: 'The hub that acts on this mandate, for its own prices' };
  return { type: 'payment.allowed_payees', allowed: [...payees, hub] };
}

function wireOf(policy: KeyPolicy): JsonObject {
  return Object.fromEntries(
    Object.entries(policy).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'bigint' ? `${value}` : value,
    ]),
  );
}

export interface Mandate {
  readonly keyId: KeyId;
  readonly policy: KeyPolicy;
}

class Unfit extends Error {}

function unfit(why: string): never {
  throw new Unfit(why);
}

/** Reads the payload of a mandate; returns why not where the hub cannot keep a key to all of it. */
export function mandateIn(payload: JsonObject, now: Instant): Mandate | string {
  try {
    onlyNames(payload, ['iss', 'sub', 'jti', 'iat', 'nbf', 'exp', 'delegate_payload', '_sd_alg']);
    const contents = listOf(payload['delegate_payload']);
    const [content] = contents;
    if (contents.length !== 1 || !isObject(content)) {
      return unfit('`delegate_payload` must have one item, the content of the mandate.');
    }
    onlyNames(content, ['vct', 'constraints', 'cnf', 'iat', 'nbf', 'exp', 'risk_data']);
    const keyId = confirmedKey(content['cnf']);
    const expiresAt = [payload, content].map((claims) => timesOf(claims, now)).reduce(sooner);
    const constraints = constraintsOf(content);
    const facts = { now, expiresAt };
    const read = constraints.map((each) => policyOf(each, facts));
    return { keyId, policy: read.reduce(narrower, defined({ expiresAt })) };
  } catch (error) {
    if (error instanceof Unfit) return error.message;
    throw error;
  }
}

/** RFC 7800 and RFC 8037: the key that may act under the mandate. */
function confirmedKey(cnf: unknown): KeyId {
  const jwk = isObject(cnf) && Object.keys(cnf).length === 1 ? cnf['jwk'] : undefined;
  const isEd25519 = isObject(jwk) && jwk['kty'] === 'OKP' && jwk['crv'] === 'Ed25519';
  const x = isEd25519 && typeof jwk['x'] === 'string' ? bytesOf(jwk['x']) : undefined;
  if (x?.length !== KEY_BYTES) {
    unfit(
      '`cnf` must be a `jwk` of the curve Ed25519: keys of another kind cannot sign at the hub.',
    );
  }
  return keyIdOf(x);
}

/** Returns when a mandate ends; refuses one that has ended or not begun. */
function timesOf(claims: JsonObject, now: Instant): Instant | undefined {
  const at = (name: string): Instant | undefined => {
    const value = claims[name];
    if (value === undefined) return undefined;
    const isTime = typeof value === 'number' && value >= 0 && value < 1e11;
    if (!isTime) unfit(`\`${name}\` must be a time in seconds.`);
    return instant(Math.floor(value) * 1000);
  };
  const [made, begins, ends] = [at('iat'), at('nbf'), at('exp')];
  if ((made ?? 0) > now + CLOCK_SKEW_MS) unfit('Its `iat` is in the future.');
  if ((begins ?? 0) > now) unfit('Its `nbf` is in the future: it does not count yet.');
  if (ends !== undefined && ends <= now) unfit(`It expired at ${iso(ends)} (\`exp\`).`);
  return ends;
}

function constraintsOf(content: JsonObject): readonly JsonObject[] {
  const { vct, constraints } = content;
  if (vct !== MANDATE_TYPE && vct !== AP2_TYPE) {
    return unfit(`\`vct\` must be ${MANDATE_TYPE} or ${AP2_TYPE}.`);
  }
  if (!Array.isArray(constraints) || !constraints.every(isObject)) {
    return unfit('`constraints` must be a list of objects.');
  }
  const types = constraints.map(({ type }) => type);
  const twice = types.find((type, place) => types.indexOf(type) !== place);
  if (twice !== undefined) unfit(`The constraint ${named(twice)} is there twice.`);
  if (vct === AP2_TYPE && !types.includes('payment.agent_recurrence')) {
    unfit('Without `payment.agent_recurrence` it permits one payment, and the hub counts none.');
  }
  return constraints;
}

interface Facts {
  readonly now: Instant;
  readonly expiresAt: Instant | undefined;
}

/** The policy that keeps a key to one constraint. */
function policyOf(constraint: JsonObject, facts: Facts): KeyPolicy {
  const { type, ...members } = constraint;
  switch (type) {
    case 'payment.amount_range':
      return { perCall: rangeOf(members) };
    case 'payment.allowed_payees':
      return payeesOf(members);
    case 'payment.agent_recurrence':
      onlyNames(members, ['frequency'], type);
      if (members['frequency'] === 'ON_DEMAND') return {};
      return unfit(
        'The hub keeps no other `frequency` of `payment.agent_recurrence` than ON_DEMAND.',
      );
    case 'payment.budget':
      return { perMonth: budgetOf(members, facts) };
    case 'payment.execution_date':
      return datesOf(members, facts.now);
    case OWN_LIMITS:
      return ownOf(members);
    default:
      return unfit(`The hub cannot keep a key to the constraint ${named(type)}.`);
  }
}

function rangeOf(members: JsonObject): Atomic {
  onlyNames(members, ['currency', 'max', 'min'], 'payment.amount_range');
  mustBeUsdc(members, 'payment.amount_range');
  const { max, min = 0 } = members;
  if (min !== 0) unfit('The hub cannot keep a key to the `min` of `payment.amount_range`.');
  if (typeof max !== 'number' || !Number.isSafeInteger(max) || max < 0) {
    return unfit('`max` of `payment.amount_range` must be a whole number of atomic units.');
  }
  return atomic(BigInt(max) < AMOUNT_MAX ? BigInt(max) : AMOUNT_MAX);
}

/** AP2 counts a budget over the life of the mandate; the hub's longest window is a month. */
function budgetOf(members: JsonObject, { now, expiresAt }: Facts): Atomic {
  onlyNames(members, ['currency', 'max'], 'payment.budget');
  mustBeUsdc(members, 'payment.budget');
  if (expiresAt === undefined || expiresAt > windowEnd('month', now)) {
    unfit('The hub counts no longer than a month, so `payment.budget` needs an `exp` in this one.');
  }
  const { max } = members;
  const [, whole, fraction = ''] = DECIMALS.exec(typeof max === 'number' ? String(max) : '') ?? [];
  if (whole === undefined) return unfit('`max` of `payment.budget` must be an amount in USDC.');
  return atomic(BigInt(whole + fraction.slice(0, 6).padEnd(6, '0')));
}

function mustBeUsdc({ currency }: JsonObject, type: string): void {
  if (currency === ASSET) return;
  unfit(`\`currency\` of \`${type}\` must be ${ASSET}, the only money of the hub.`);
}

/** Without the hub among the payees its prices are none to be paid, so a key may only pay others. */
function payeesOf(members: JsonObject): KeyPolicy {
  onlyNames(members, ['allowed'], 'payment.allowed_payees');
  const { allowed } = members;
  if (!Array.isArray(allowed) || allowed.length > LISTED_MAX + 1) {
    return unfit(
      `\`allowed\` of \`payment.allowed_payees\` must list at most ${LISTED_MAX} payees.`,
    );
  }
  const ids = allowed.map((payee: unknown) => {
    if (!isObject(payee)) return unfit('A payee of `payment.allowed_payees` must be an object.');
    onlyNames(payee, ['id', 'name', 'website'], 'payment.allowed_payees');
    return payee['id'];
  });
  const counterparties = ids
    .filter((id) => id !== HUB_PAYEE)
    .map((id) => {
      const account = typeof id === 'string' ? parseAccount(id) : undefined;
      return account ?? unfit(`The payee ${named(id)} is no account of a hub.`);
    });
  if (counterparties.length > LISTED_MAX) unfit('`payment.allowed_payees` lists too many payees.');
  return { counterparties, ...(!ids.includes(HUB_PAYEE) && { operations: ['wallet.pay'] }) };
}

function datesOf(members: JsonObject, now: Instant): KeyPolicy {
  onlyNames(members, ['not_before', 'not_after'], 'payment.execution_date');
  const at = (name: string): Instant | undefined => {
    const text = members[name];
    if (text === undefined) return undefined;
    const time = typeof text === 'string' ? parseInstant(text) : undefined;
    return time ?? unfit(`\`${name}\` of \`payment.execution_date\` must be a time with its zone.`);
  };
  const [begins, expiresAt] = [at('not_before'), at('not_after')];
  if ((begins ?? 0) > now) unfit('Its `not_before` is in the future: it does not count yet.');
  if (expiresAt !== undefined && expiresAt <= now) unfit('Its `not_after` is over.');
  return defined({ expiresAt });
}

function ownOf(members: JsonObject): KeyPolicy {
  onlyNames(members, [...OWN_AMOUNTS, ...Object.keys(OWN_LISTS)], OWN_LIMITS);
  const amounts = OWN_AMOUNTS.map((name) => {
    const text = members[name];
    if (text === undefined) return [name, undefined] as const;
    const amount = typeof text === 'string' ? parseAtomic(text) : undefined;
    return [name, amount ?? unfit(`\`${name}\` must be an amount in atomic units.`)] as const;
  });
  const lists = Object.entries(OWN_LISTS).map(([name, lengthMax]) => {
    const list = members[name];
    const isName = (each: unknown): each is string =>
      typeof each === 'string' && each !== '' && [...each].length <= lengthMax;
    const isList = Array.isArray(list) && list.length <= LISTED_MAX && list.every(isName);
    if (list !== undefined && !isList) unfit(`\`${name}\` must be a list of at most 100 names.`);
    return [name, list] as const;
  });
  const strange = listOf(members['networks']).find(
    (id) => parseNetworkId(String(id)) === undefined,
  );
  if (strange !== undefined) unfit(`The hub has no network ${named(strange)}.`);
  return defined(Object.fromEntries([...amounts, ...lists])) as KeyPolicy;
}

/** Refuses members of which the hub knows nothing: each of them could be a limit. */
function onlyNames(object: JsonObject, names: readonly string[], type?: string): void {
  const unknown = Object.keys(object).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const place = type === undefined ? '' : ` of \`${type}\``;
  unfit(`The hub cannot keep a key to ${named(unknown)}${place}.`);
}

function named(value: unknown): string {
  return typeof value === 'string' ? `\`${head(value, 80)}\`` : 'without a name';
}
