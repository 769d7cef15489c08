import { faults as validators, type ValidationError } from '../../generated/validators.js';
import { defined } from '../../domain/defined.ts';
import { isObject } from '../../domain/jsonObject.ts';
import { nearestName } from '../../domain/nearest.ts';
import { HubError } from '../../workflows/kernel/errors.ts';
import { faultOf, withFaults } from '../../workflows/kernel/faultList.ts';
import type { OperationSpec, ParameterSpec } from '../../workflows/kernel/operation.ts';
import { scalarIn } from './scalar.ts';

/** Items of a list that are looked at: one that is wrong shows how the others are. */
const ITEMS_MAX = 10;
/** Values of a body that are looked at; deeper and later ones are left as they are. */
const VALUES_MAX = 2_000;

/** Failures that are looked at, where several may be of one place. */
const FAILURES_MAX = 40;

/** Errors that only wrap those of their branches. */
const WRAPPERS: readonly string[] = ['oneOf', 'anyOf', 'if', 'allOf'];

/** A failure with the value that it was found in, and the name that an unknown one may stand for. */
export interface Found {
  readonly failure: ValidationError;
  readonly value: unknown;
  readonly nearest?: string;
}

interface Failures {
  readonly found: readonly Found[];
  /** All of them, with those of the branches that were not meant. */
  readonly errors: readonly ValidationError[];
}

/**
 * The failures of a refused value in the order in which they were found. A value under a name that
 * is nearly known is judged as the value of that name too, so that one correction is enough.
 */
export function failuresOf(spec: OperationSpec, place: string, value: unknown): Failures {
  const check = validators[`${spec.id}/${place}`];
  const seen = cut(value, { left: VALUES_MAX });
  if (check === undefined || check(seen)) return { found: [], errors: [] };
  const errors = check.errors ?? [];
  const found = telling(errors).map((failure) => ({ failure, value, ...nearestOf(failure) }));
  const parameters = spec.parameters.filter((each) => each.in === place);
  const isRenamed = found.map((each) => rename(seen, each, parameters)).includes(true);
  if (!isRenamed || check(seen)) return { found, errors };
  const others = check.errors ?? [];
  const more = telling(others).flatMap((failure) =>
    isOfValue(failure) ? [{ failure, value: seen }] : [],
  );
  // A value that was sent by another name is wrong, and not absent.
  const sent = ({ failure: { instancePath, params } }: Found): boolean =>
    more.some(
      (each) =>
        each.failure.instancePath === `${instancePath}/${String(params['missingProperty'])}`,
    );
  return {
    found: [...found.filter((each) => !sent(each)), ...more],
    errors: [...errors, ...others],
  };
}

/** The failures that say most, unknown names last, because a body may have thousands. */
function telling(errors: readonly ValidationError[]): readonly ValidationError[] {
  const meant = withoutChoices(errors);
  return [...meant.filter(isOfValue), ...meant.filter((each) => !isOfValue(each))].slice(
    0,
    FAILURES_MAX,
  );
}

function isOfValue({ keyword }: ValidationError): boolean {
  return keyword !== 'additionalProperties';
}

/**
 * Leaves out what only says that a branch of a choice takes another type of value: the branches
 * differ by type or by a discriminator (conformance/kinds/documents/readable.test.ts), so the rest
 * is of the branch that was meant. A validator lists the failures of the branches before the choice.
 */
export function withoutChoices(errors: readonly ValidationError[]): readonly ValidationError[] {
  const kept: ValidationError[] = [];
  for (const error of errors) {
    if (error.keyword === 'oneOf' || error.keyword === 'anyOf') {
      let from = kept.length;
      while (from > 0 && isInside(kept[from - 1], error)) from -= 1;
      const inside = kept.splice(from);
      const meant = inside.filter((each) => !isOfType(each, error));
      kept.push(...(meant.length > 0 ? meant : inside.slice(0, 1)));
    } else if (!WRAPPERS.includes(error.keyword)) kept.push(error);
  }
  return kept;
}

function isInside(each: ValidationError | undefined, choice: ValidationError): boolean {
  const { instancePath = '' } = each ?? {};
  return `${instancePath}/`.startsWith(`${choice.instancePath}/`);
}

function isOfType({ keyword, instancePath }: ValidationError, choice: ValidationError): boolean {
  return keyword === 'type' && instancePath === choice.instancePath;
}

function nearestOf({ keyword, params, parentSchema }: ValidationError): Pick<Found, 'nearest'> {
  if (keyword !== 'additionalProperties') return {};
  return defined({
    nearest: nearestName(String(params['additionalProperty']), propertiesOf(parentSchema)),
  });
}

/** The names that an object may have; none when the failure does not carry its schema. */
export function propertiesOf(schema: ValidationError['parentSchema']): string[] {
  const properties = schema?.['properties'];
  return isObject(properties) ? Object.keys(properties) : [];
}

/** Moves the value of an unknown name to the nearest one; false when that one has a value. */
function rename(
  seen: unknown,
  { failure, value, nearest }: Found,
  parameters: readonly ParameterSpec[],
): boolean {
  if (nearest === undefined) return false;
  const { instancePath, params } = failure;
  const around = valueAt(seen, instancePath);
  // Beyond the values that are looked at, it is the object of the call itself.
  if (!isObject(around) || around === valueAt(value, instancePath)) return false;
  const parameter = parameters.find((each) => each.name === nearest);
  const isSent = Object.hasOwn(around, nearest) && around[nearest] !== parameter?.default;
  if (isSent) return false;
  const name = String(params['additionalProperty']);
  const moved = parameter === undefined ? around[name] : scalarIn(parameter, around[name]);
  Object.assign(around, { [nearest]: moved });
  return Reflect.deleteProperty(around, name);
}

function cut(value: unknown, budget: { left: number }): unknown {
  budget.left -= 1;
  if (budget.left < 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((each) => cut(each, budget));
  const members = Object.entries(value).map(([name, each]) => [name, cut(each, budget)]);
  return Object.fromEntries(members);
}

/** The value at a JSON pointer. */
export function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map(unescapePointer)
    .reduce<unknown>(
      (at, step) =>
        typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined,
      value,
    );
}

export function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
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
