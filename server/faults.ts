import { faults as validators, type ValidationError } from '../generated/validators.js';
import type { components } from '../generated/types.ts';
import { shorten } from '../domain/text.ts';
import { HubError } from './hub/errors.ts';
import type { OperationSpec } from './hub/operation.ts';

/** All that is wrong with a refused body or query; what takes the call stops at the first fault. */
type Fault = components['schemas']['Fault'];

const FAULTS_MAX = 20;
const MESSAGE_MAX = 300;
const NAME_MAX = 64;
const FIELD_MAX = 300;
const ALLOWED_MAX = 60;

/** Items of a list that are looked at: one that is wrong shows how the others are. */
const ITEMS_MAX = 10;
/** Values of a body that are looked at; deeper and later ones are left as they are. */
const VALUES_MAX = 2_000;

/** Failures that are looked at, where several may be of one place. */
const FAILURES_MAX = 40;

/** Errors that only wrap those of their branches. */
const WRAPPERS: readonly string[] = ['oneOf', 'anyOf', 'if', 'allOf'];

/** The failures of a refused value, one a place, in the order in which they were found. */
export function failuresOf(
  spec: OperationSpec,
  place: string,
  value: unknown,
): readonly ValidationError[] {
  const check = validators[`${spec.id}/${place}`];
  if (check === undefined || check(cut(value, { left: VALUES_MAX }))) return [];
  const found = check.errors ?? [];
  const errors = [...found.filter(isOfValue), ...found.filter((each) => !isOfValue(each))];
  const choices = errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf');
  const inChoice = (each: ValidationError): boolean =>
    choices.some(({ instancePath }) => each.instancePath.startsWith(instancePath));
  return errors
    .slice(0, FAILURES_MAX)
    .filter((each) => !WRAPPERS.includes(each.keyword) && !inChoice(each));
}

/** Unknown names come last, because a body may have thousands. */
function isOfValue({ keyword }: ValidationError): boolean {
  return keyword !== 'additionalProperties';
}

function cut(value: unknown, budget: { left: number }): unknown {
  budget.left -= 1;
  if (budget.left < 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((each) => cut(each, budget));
  const members = Object.entries(value).map(([name, each]) => [name, cut(each, budget)]);
  return Object.fromEntries(members);
}

/** A refusal of one place in the form of a list's item. */
export function faultOf({ code, detail, message }: HubError, nearest?: string): Fault {
  const { field = '', allowed } = detail;
  return {
    field: shorten(field, FIELD_MAX),
    code,
    message: shorten(message, MESSAGE_MAX),
    ...(allowed !== undefined && {
      allowed: allowed.slice(0, ALLOWED_MAX).map((each) => shorten(each, NAME_MAX)),
    }),
    ...(nearest !== undefined && { nearest }),
  };
}

/** The refusal with its faults, its own first, one for each place. */
export function withFaults(refusal: HubError, others: readonly Fault[]): HubError {
  const [own = faultOf(refusal)] = others.filter(({ field }) => field === refusal.detail.field);
  const all = [own, ...others];
  const faults = all.filter(({ field }, n) => all.findIndex((each) => each.field === field) === n);
  return refusal.with({ detail: { ...refusal.detail, faults: faults.slice(0, FAULTS_MAX) } });
}

/** Reads several places of a call, and refuses with the faults of all of them. */
export function together<T extends readonly unknown[]>(
  ...reads: { readonly [Place in keyof T]: () => T[Place] }
): T {
  const refused: HubError[] = [];
  const values = reads.map((read): unknown => {
    try {
      return read();
    } catch (thrown) {
      if (!(thrown instanceof HubError)) throw thrown;
      refused.push(thrown);
      return undefined;
    }
  });
  const [first] = refused;
  if (first === undefined) return values as unknown as T;
  throw withFaults(
    first,
    refused.flatMap((each) => each.detail.faults ?? [faultOf(each)]),
  );
}
