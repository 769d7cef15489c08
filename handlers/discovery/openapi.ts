import type { Handler } from '../../server/hub/handler.ts';
import { contract } from './content/contract.ts';

/** The contract from memory, with this hub as its server, so a tool can use it as it is. */
export const openapi: Handler<'discovery.openapi'> = async (_, hub) => ({
  status: 200,
  body: { ...contract, servers: [{ url: hub.settings.baseUrl, description: 'This hub.' }] },
});
