import type { Schemas } from '../../../workflows/kernel/answered.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import { contract } from '../content/contract.ts';
import { routes } from '../content/routes.ts';

export function presentIndex({ settings, clientPackage }: Hub): Schemas['RouteIndex'] {
  const { baseUrl } = settings;
  return {
    hub: contract.info.title,
    version: contract.info.version,
    baseUrl,
    openapi: `${baseUrl}/api/v1/openapi.json`,
    docs: `${baseUrl}/docs`,
    quickstart: `${baseUrl}/api/v1/quickstart`,
    errors: `${baseUrl}/errors`,
    ...(clientPackage && { client: presentClient(baseUrl, clientPackage) }),
    doors: { mcp: `${baseUrl}/mcp`, a2a: `${baseUrl}/a2a` },
    count: routes.length,
    routes,
  };
}

/** The command runs what this hub serves, never a name of a registry (choices clients.package). */
function presentClient(
  baseUrl: string,
  { path, integrity, wheel }: NonNullable<Hub['clientPackage']>,
): NonNullable<Schemas['RouteIndex']['client']> {
  const npm = { url: `${baseUrl}${path}`, integrity, run: `npx ${baseUrl}${path} work` };
  if (wheel === undefined) return npm;
  const url = `${baseUrl}${wheel.path}`;
  return { ...npm, python: { url, integrity: wheel.integrity, run: `pip install ${url}` } };
}
