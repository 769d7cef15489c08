import type { JsonObject } from '../jsonObject.ts';

export interface SchemaNode {
  readonly pointer: string;
  readonly schema: JsonObject;
  /** The schema as it was written, `true` or `false` among them. */
  readonly written: unknown;
  /** Pointers of subschemas that judge the same value; `$ref` targets are added once known. */
  readonly inPlace: string[];
  readonly ref?: string;
  readonly anchor?: string;
}
