import { join, type Fault } from './verdict.ts';

/**
 * Shapes of JSON values (spec/BYTES.md 9, step 1). Objects are closed, every level has a limit, and
 * the first fault in sorted order of the names counts, so that two verifiers name the same place.
 */
type Report = (fault: Fault) => false;
export type Shape<T> = (value: unknown, at: string, report: Report) => value is T;

type Shapes = Readonly<Record<string, Shape<unknown>>>;
type ValueOf<S> = S extends (value: unknown, at: string, report: Report) => value is infer T
  ? T
  : never;
type ObjectOf<Required extends Shapes, Optional extends Shapes> = {
  readonly [Name in keyof Required]: ValueOf<Required[Name]>;
} & { readonly [Name in keyof Optional]?: ValueOf<Optional[Name]> };

/** No object of the specification comes near it; sorting the names of a hostile one would cost. */
export const MEMBERS_MAX = 32;
/** Names that may be repeated in a fault; for others the fault names their object. */
const TELLABLE = /^[A-Za-z0-9_-]{1,64}$/;

/** The shape of one value. `what` names the expected value in the fault. */
export function one<T>(what: string, holds: (value: unknown) => value is T): Shape<T> {
  return (value, at, report): value is T =>
    holds(value) || report({ at, says: `${subject(at)} is not ${what}.` });
}

export function oneOf<const T extends string | number | boolean>(...all: readonly T[]): Shape<T> {
  const what = all.map((each) => JSON.stringify(each)).join(' or ');
  return one(what, (value): value is T => all.some((each) => each === value));
}

export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return (value, at, report): value is T | null => value === null || shape(value, at, report);
}

/** A value that is looked at later. */
export const anything: Shape<unknown> = (_value): _value is unknown => true;

export function list<T>(item: Shape<T>, { least = 0, most }: Bounds): Shape<readonly T[]> {
  return (value, at, report): value is readonly T[] => {
    if (!Array.isArray(value)) return report({ at, says: `${subject(at)} is not a list.` });
    if (value.length < least) return report({ at, says: `${subject(at)} is empty.` });
    if (value.length > most) {
      return report({ at, says: `${subject(at)} has more than ${most} entries.` });
    }
    return value.every((each, place) => item(each, join(at, String(place)), report));
  };
}
export interface Bounds {
  readonly least?: 0 | 1;
  readonly most: number;
}

/** An object that has all of the required members, perhaps the optional ones, and no other. */
export function object<Required extends Shapes, Optional extends Shapes = Record<never, never>>(
  required: Required,
  optional?: Optional,
): Shape<ObjectOf<Required, Optional>> {
  const shapes = new Map<string, Shape<unknown>>(Object.entries({ ...required, ...optional }));
  const needed = Object.keys(required);
  return (value, at, report): value is ObjectOf<Required, Optional> => {
    if (!isObject(value)) return report({ at, says: `${subject(at)} is not an object.` });
    const present = Object.keys(value);
    if (present.length > MEMBERS_MAX) {
      return report({ at, says: `${subject(at)} has more than ${MEMBERS_MAX} members.` });
    }
    // Without a comparison function, names are compared by their UTF-16 code units (RFC 8785).
    const names = [...new Set([...needed, ...present])].sort();
    return names.every((name) => {
      const shape = shapes.get(name);
      if (shape === undefined) return report(unknownMember(at, name));
      const place = join(at, name);
      if (!Object.hasOwn(value, name)) return report({ at: place, says: `${place} is missing.` });
      return shape(Reflect.get(value, name), place, report);
    });
  };
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where a member of an object stands, or the object when its name is not fit to be repeated. */
export function placeOf(at: string, name: string): string {
  return TELLABLE.test(name) ? join(at, name) : at;
}

function unknownMember(at: string, name: string): Fault {
  const place = placeOf(at, name);
  if (place === at) return { at, says: `${subject(at)} has a member that it must not have.` };
  return { at: place, says: `${place} is no member of this object.` };
}

function subject(at: string): string {
  return at === '' ? 'The value' : at;
}
