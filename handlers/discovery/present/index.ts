import type { JsonAnswer } from '../../../server/hub/call.ts';
import { contract } from '../content/contract.ts';
import { routes } from '../content/routes.ts';

/** Every route, and where to read on. */
export function presentIndex(baseUrl: string): JsonAnswer<'discovery.index'> {
  return {
    hub: contract.info.title,
    version: contract.info.version,
    baseUrl,
    openapi: `${baseUrl}/api/v1/openapi.json`,
    docs: `${baseUrl}/docs`,
    quickstart: `${baseUrl}/api/v1/quickstart`,
    errors: `${baseUrl}/errors`,
    doors: { mcp: `${baseUrl}/mcp`, a2a: `${baseUrl}/a2a` },
    count: routes.length,
    routes,
  };
}
