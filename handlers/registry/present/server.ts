import type { ServerFrame } from '../../../db/registry/serverTexts.ts';
import { defined } from '../../../domain/defined.ts';
import { measuredKey } from '../../../domain/registry/serverJson.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import { refuse } from '../../../workflows/kernel/errors.ts';
import type { Settings } from '../../../workflows/kernel/settings.ts';
import { textReply } from '../../textReply.ts';

/** The parts of a record that name this hub. */
export function frameOf({ baseUrl }: Pick<Settings, 'baseUrl'>): ServerFrame {
  return {
    meta: `,"_meta":{${JSON.stringify(measuredKey(baseUrl))}:{"status":`,
    records: `${baseUrl}/api/v1/agents/`,
  };
}

export function listReply(records: readonly string[], nextCursor?: string) {
  const metadata = JSON.stringify({ count: records.length, ...defined({ nextCursor }) });
  return textReply<Schemas['McpServerList']>(
    `{"servers":[${records.join(',')}],"metadata":${metadata}}`,
  );
}

export function noSuchServer(name: string, field: string): never {
  return refuse('not-found', {
    error: `No MCP server is listed under ${name}, or not this version of it.`,
    hint: 'GET /v0.1/servers?search=<part of the name>&include_deleted=true lists those that were seen.',
    field,
  });
}
