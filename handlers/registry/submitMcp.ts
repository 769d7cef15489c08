import type { Handler } from '../../server/handler.ts';
import { submitAddress } from './_submission.ts';

/** The same submission for the address of an MCP server. */
export const submitMcp: Handler<'registry.submitMcp'> = async ({ body }, hub) => ({
  status: 202,
  body: await submitAddress(hub, body.url, 'mcp'),
});
