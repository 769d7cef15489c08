import type { Instant } from '../../domain/instant.ts';
import type { components } from '../../generated/types.ts';

/**
 * The shape of an answer as a handler gives it: moments and amounts as the domain has them, which
 * `encode.ts` writes; an optional member may be undefined, which JSON leaves out.
 */
export type Answered<T> = T extends string
  ? Given<T>
  : T extends readonly (infer Item)[]
    ? readonly Answered<Item>[]
    : T extends object
      ? { [Name in keyof T]: Answered<T[Name]> | Absent<T, Name> }
      : T;

/** Text that is there already, as in a stored answer, stays as it is. */
type Given<T> = '__wire' extends keyof T
  ? T extends { readonly __wire?: 'Instant' }
    ? Instant | T
    : T extends { readonly __wire?: 'Atomic' | 'Sum' }
      ? bigint | T
      : T extends { readonly __wire?: 'Chips' }
        ? bigint | number | T
        : T
  : T;

type Absent<T, Name extends keyof T> =
  Record<never, never> extends Pick<T, Name> ? undefined : never;

/** The components of the contract as presenters give them. */
export type Schemas = { readonly [Name in keyof Wired]: Answered<Wired[Name]> };
type Wired = components['schemas'];
