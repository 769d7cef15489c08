import type { Encoded } from '../../server/hub/call.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { perHub } from '../../server/hub/perHub.ts';
import { contract } from './content/contract.ts';

/** A megabyte of text: it is written once for a hub and not for each who asks. */
const written = perHub((): Encoded => ({}));

/** The contract from memory, with this hub as its server, so a tool can use it as it is. */
export const openapi: Handler<'discovery.openapi'> = async (_, hub) => ({
  status: 200,
  body: { ...contract, servers: [{ url: hub.settings.baseUrl, description: 'This hub.' }] },
  encoded: written(hub),
});
