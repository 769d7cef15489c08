import { defined } from '../../domain/defined.ts';
import type { PublishedText } from '../../domain/registry/injection.ts';
import type { AccessClass, CardViolation } from '../../domain/registry/listing.ts';
import {
  nextCursor,
  readTools,
  TOOLS_MAX,
  type ReadTool,
} from '../../domain/registry/readTools.ts';
import type { ReportedMetadata } from '../../domain/registry/probeResult.ts';
import { readerDescription } from '../../domain/registry/readerDescription.ts';
import { cleanLine, cleanText } from '../../domain/registry/text.ts';
import { isObject } from '../../domain/jsonObject.ts';
import type { McpSession } from '../kernel/hub.ts';

/** An open MCP server's metadata: its tools, page by page, and the claims of its opening. */
const PAGES_MAX = 20;

interface Listed {
  readonly pages: readonly unknown[];
  readonly isWhole: boolean;
  readonly message: string;
  readonly latencyMs: number;
  readonly access?: { readonly access: AccessClass };
  readonly schemes: readonly string[];
  /** Why the request of a page failed; absent when all were answered. */
  readonly stopped?: string;
}

export async function toolPages(session: McpSession): Promise<Listed> {
  const pages: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  let latencyMs = 0;
  let count = 0;
  for (let nth = 0; nth < PAGES_MAX && count < TOOLS_MAX; nth += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const end = await session.request({ id: `list-${nth}`, method: 'tools/list', params });
    const result = end.kind === 'answer' ? end.reply?.result : undefined;
    if (nth === 0 && end.kind === 'answer') latencyMs = Math.round(end.durationMs);
    if (result === undefined) {
      const status = end.kind === 'answer' ? end.status : 0;
      const keyed = nth === 0 && (status === 401 || status === 403);
      const message =
        end.kind === 'failed' ? end.message : `tools/list was answered with ${status}.`;
      const access = keyed ? { access: { access: 'auth-required' as const } } : {};
      const stopped = end.kind === 'failed' ? end.reason : undefined;
      return {
        pages,
        isWhole: false,
        message,
        latencyMs,
        schemes: ['unknown'],
        ...access,
        ...defined({ stopped }),
      };
    }
    pages.push(result);
    count += readTools([result]).tools.length;
    cursor = nextCursor(result, seen);
    if (cursor === undefined) break;
  }
  return { pages, isWhole: true, message: '', latencyMs, schemes: [] };
}

export function brokenList(message: string): CardViolation {
  return {
    rule: 'tools-listed',
    path: 'tools',
    says: `Its tools could not all be read: ${message}`,
  };
}

/** Half of the arguments described is half understood. */
export function argumentRule(tools: readonly ReadTool[]): readonly CardViolation[] {
  return tools.flatMap(({ name, inputSchema }, place): readonly CardViolation[] => {
    const properties = inputSchema?.['properties'];
    const all = isObject(properties) ? Object.values(properties) : [];
    const bare = all.filter((each) => !isObject(each) || each['description'] === undefined);
    if (bare.length === 0) return [];
    const says = `${bare.length} of ${all.length} arguments of ${name} have no description.`;
    return [{ rule: 'tool-arguments', path: `tools/${place}/inputSchema`, says }];
  });
}

export function claimsOf(
  { opening, transport, protocolVersion }: McpSession,
  origin: string,
): {
  readonly claims: Omit<
    ReportedMetadata,
    'skills' | 'access' | 'authSchemes' | 'violations' | 'signals'
  >;
  readonly violations: readonly CardViolation[];
  readonly texts: readonly PublishedText[];
} {
  const given = isObject(opening) ? opening : {};
  const meta = isObject(given['_meta']) ? given['_meta'] : {};
  const named = given['serverInfo'] ?? meta['io.modelcontextprotocol/serverInfo'];
  const info = isObject(named) ? named : {};
  const { instructions } = given;
  const name = cleanLine(info['title'], 400) ?? cleanLine(info['name'], 400);
  const version = cleanLine(info['version'], 100);
  const description = readerDescription(
    cleanText(info['description'], 4_000),
    cleanText(instructions, 4_000),
  );
  const website = cleanLine(info['websiteUrl'], 2_048);
  const rules: readonly (readonly [string, string, unknown])[] = [
    ['server-name', 'serverInfo/name', name],
    ['server-version', 'serverInfo/version', version],
    ['server-description', 'description', description],
  ];
  const own = Object.entries({ ...info, instructions });
  return {
    claims: {
      transport,
      protocolVersion,
      name: name ?? new URL(origin).host,
      ...defined({ description, version }),
      ...(isWebAddress(website) && { documentationUrl: website }),
    },
    violations: rules.flatMap(([rule, path, value]) =>
      value === undefined ? [{ rule, path, says: 'The server does not say it.' }] : [],
    ),
    texts: own.flatMap(([path, text]) => (typeof text === 'string' ? [{ path, text }] : [])),
  };
}

function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}
