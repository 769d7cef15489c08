import { defined } from '../defined.ts';
import { sha256Hex } from '../digest.ts';
import { canonical } from '../json.ts';
import type { JsonObject } from '../jsonObject.ts';

/**
 * SHA-256 over `hub/descriptor/v1`, a line feed, and the JCS text of a tool's cleaned name,
 * description and schemas (an absent output schema has no member). A rug pull changes it.
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
