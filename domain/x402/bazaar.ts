import type { JsonObject } from '../jsonObject.ts';
import { head } from '../text.ts';

/**
 * The `bazaar` extension of x402 version 2: how what is paid for is called. Clients send it back
 * with their payment, and facilitators that list what they settle read it there.
 */
export interface BazaarExtension {
  readonly info: { readonly input: JsonObject };
  /** A JSON Schema of `info`, which facilitators check before they list anything. */
  readonly schema: JsonObject;
}

/** The header of a quote and the payment that echoes it have a length: a longer schema is cut. */
const SCHEMA_LENGTH_MAX = 1_500;
const DESCRIPTION_LENGTH_MAX = 200;
const ANY_OBJECT: JsonObject = { type: 'object' };

export function mcpToolBazaar(tool: {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: JsonObject;
}): BazaarExtension {
  const { name, description, inputSchema = ANY_OBJECT } = tool;
  const isShort = JSON.stringify(inputSchema).length <= SCHEMA_LENGTH_MAX;
  return {
    info: {
      input: {
        type: 'mcp',
        toolName: name,
        description: head(description, DESCRIPTION_LENGTH_MAX),
        transport: 'streamable-http',
        inputSchema: isShort ? inputSchema : ANY_OBJECT,
      },
    },
    schema: schemaOf(
      {
        type: { type: 'string', const: 'mcp' },
        toolName: { type: 'string' },
        description: { type: 'string' },
        transport: { type: 'string', enum: ['streamable-http', 'sse'] },
        inputSchema: { type: 'object' },
      },
      ['type', 'toolName', 'inputSchema'],
    ),
  };
}

/** An operation that takes JSON; `body` is an example of it. */
export function postBazaar(body: JsonObject): BazaarExtension {
  return {
    info: { input: { type: 'http', method: 'POST', bodyType: 'json', body } },
    schema: schemaOf(
      {
        type: { type: 'string', const: 'http' },
        method: { type: 'string', enum: ['POST'] },
        bodyType: { type: 'string', enum: ['json'] },
        body: { type: 'object' },
      },
      ['type', 'method', 'bodyType', 'body'],
    ),
  };
}

function schemaOf(properties: JsonObject, required: readonly string[]): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { input: { type: 'object', properties, required, additionalProperties: false } },
    required: ['input'],
  };
}
