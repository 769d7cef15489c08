import { parseHostAllowList } from '../../domain/outbound/hostAllowList.ts';
import { nextCursor } from '../../domain/registry/readTools.ts';
import { isObject, listOf } from '../../domain/jsonObject.ts';
import { openAgentClient } from '../hub/outbound/agentClient.ts';
import { openOutbound } from '../hub/outbound/fetcher.ts';
import { systemClock } from '../hub/systemClock.ts';

const PAGES_MAX = 20;

/** The tools that an MCP server on this machine or network lists, in whatever era it speaks. */
export async function localTools(endpoint: string): Promise<readonly unknown[]> {
  const { host, hostname, port, protocol } = new URL(endpoint);
  const pair = port === '' ? `${hostname}:${protocol === 'https:' ? 443 : 80}` : host;
  const outbound = openOutbound({
    allowList: parseHostAllowList(pair) ?? new Set(),
    baseUrl: endpoint,
    clock: systemClock,
    key: () => {
      throw new Error('nothing is signed here');
    },
  });
  try {
    const opening = await openAgentClient(outbound, systemClock).openMcp({ endpoint });
    if (opening.kind === 'shut') throw new Error(`${endpoint}: ${opening.end.message}`);
    const tools: unknown[] = [];
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let nth = 0; nth < PAGES_MAX; nth += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const end = await opening.session.request({
        id: `list-${nth}`,
        method: 'tools/list',
        params,
      });
      const page = end.kind === 'answer' ? end.reply?.result : undefined;
      if (!isObject(page)) throw new Error(`${endpoint} does not list its tools`);
      tools.push(...listOf(page['tools']));
      cursor = nextCursor(page, seen);
      if (cursor === undefined) break;
    }
    await opening.session.close();
    return tools;
  } finally {
    outbound.close();
  }
}
