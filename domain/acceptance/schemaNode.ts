import type { JsonObject } from '../jsonObject.ts';

/** A subschema that the static check walked. */
export interface SchemaNode {
  readonly pointer: string;
  readonly schema: JsonObject;
  /** Pointers of subschemas that judge the same value; `$ref` targets are added once known. */
  readonly inPlace: string[];
  readonly ref?: string;
  readonly anchor?: string;
}
