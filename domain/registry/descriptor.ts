import { defined } from '../defined.ts';
import { sha256Hex } from '../digest.ts';
import { canonical } from '../json.ts';
import type { JsonObject } from '../jsonObject.ts';

/**
 * The digest of a tool as described: SHA-256 over `hub/descriptor/v1`, a line feed, and the JCS
 * text of its cleaned name, description and schemas (no output schema, no member). A description
 * that is swapped after it was trusted (a rug pull) changes it.
 */
export function descriptorHash(
  name: string,
  description: string,
  inputSchema: JsonObject | undefined,
  outputSchema?: JsonObject,
): string {
  const schemas = { inputSchema: inputSchema ?? null, ...defined({ outputSchema }) };
  const described = { name, description, ...schemas };
  return sha256Hex(`hub/descriptor/v1\n${canonical(described)}`);
}
