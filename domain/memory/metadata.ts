/**
 * Facts about a note that searches filter by (choices memory.metadata). A condition on a fact is met
 * by a value of the same type alone: a text is never a number.
 */
type MetadataValue = string | number | boolean;
export type Metadata = Readonly<Record<string, MetadataValue>>;

export interface MetadataTerm {
  readonly name: string;
  readonly is?: MetadataValue;
  readonly anyOf?: readonly MetadataValue[];
  /** The least and the most that it is. */
  readonly from?: MetadataValue;
  readonly to?: MetadataValue;
}

const METADATA_FACTS_MAX = 16;
const METADATA_TEXT_MAX = 256;
const NAME = /^[\w.-]{1,64}$/;

/** JSON text with the names in order, alike for the same facts; undefined for none. */
export function packMetadata(metadata: Metadata | undefined): string | undefined {
  const facts = Object.entries(metadata ?? {});
  if (facts.length === 0) return undefined;
  return JSON.stringify(Object.fromEntries(facts.sort(([a], [b]) => (a < b ? -1 : 1))));
}

export function unpackMetadata(packed: string): Metadata;
export function unpackMetadata(packed: string | undefined): Metadata | undefined;
export function unpackMetadata(packed: string | undefined): Metadata | undefined {
  return packed === undefined ? undefined : (JSON.parse(packed) as Metadata);
}

/** Returns whether a value that comes from outside is metadata. */
export function isMetadata(value: Readonly<Record<string, unknown>>): value is Metadata {
  const facts = Object.entries(value);
  return (
    facts.length <= METADATA_FACTS_MAX &&
    facts.every(([name, each]) => NAME.test(name) && isValue(each))
  );
}

function isValue(value: unknown): value is MetadataValue {
  if (typeof value === 'string') {
    return [...value].length <= METADATA_TEXT_MAX && !/\0|\p{Surrogate}/u.test(value);
  }
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

/** Returns whether the facts meet all conditions. */
export function meets(metadata: Metadata, terms: readonly MetadataTerm[]): boolean {
  return terms.every(({ name, is, anyOf, from, to }) => {
    if (!Object.hasOwn(metadata, name)) return false;
    const value = metadata[name];
    if (value === undefined) return false;
    return (
      (is === undefined || value === is) &&
      (anyOf === undefined || anyOf.includes(value)) &&
      (from === undefined || (typeof from === typeof value && value >= from)) &&
      (to === undefined || (typeof to === typeof value && value <= to))
    );
  });
}
