import { connectAgent, openConnection } from '../../clients/connect/connector.ts';
import { ConnectRefused } from '../../clients/connect/refused.ts';
import { createHub, isRefusal, unwrap, type Hub } from '../../clients/typescript/index.ts';
import { keys } from '../../clients/typescript/node.ts';
import { signer } from '../../clients/typescript/sign.ts';
import { defined } from '../../domain/defined.ts';
import { readTools, type ReadTool, nextCursor } from '../../domain/registry/readTools.ts';
import type { Command, Print } from './command.ts';
import { HUB_DEFAULT, optionsOf } from './options.ts';
import { parseHostAllowList } from '../../domain/outbound/hostAllowList.ts';
import { isObject, listOf } from '../../domain/jsonObject.ts';
import { openAgentClient } from '../../workflows/kernel/outbound/agentClient.ts';
import { openOutbound } from '../../workflows/kernel/outbound/fetcher.ts';
import { systemClock } from '../../workflows/kernel/systemClock.ts';
import { head } from '../../domain/text.ts';

/**
 * `hubctl host` lists an MCP server that cannot be dialled, and keeps it connected. Tools without a
 * price are free; the fee is charged when the key has no listing yet.
 */
export const host: Command = async (words, _, print) => {
  const options = hostOptions(words);
  if (options === undefined) return undefined;
  const key = await keys.loadOrGenerate(options.key);
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
  const { hub: baseUrl, endpoint } = options;
  const { signal } = stopping;
  const connect = { hub: baseUrl, signer: signer(key), endpoint, signal };
  try {
    const tools = readTools([{ tools: await localTools(endpoint) }]).tools;
    await openConnection(connect);
    const serving = connectAgent({
      ...connect,
      onState: (state, why) => print(`${state}: ${why}\n`),
    });
    await Promise.race([list(createHub({ baseUrl, key }), key, options, tools, print), serving]);
    await serving;
    return 0;
  } catch (error) {
    if (!isRefusal(error) && !(error instanceof ConnectRefused)) throw error;
    print(`${error.message}\n${isRefusal(error) ? `${error.hint}\n` : ''}`);
    return 1;
  } finally {
    stopping.abort();
  }
};

async function list(
  hub: Hub,
  key: { readonly account: string; readonly keyId: string },
  { endpoint, name, prices }: HostOptions,
  tools: readonly ReadTool[],
  print: Print,
): Promise<void> {
  const listed = unwrap(
    await hub.POST('/api/v1/hosted', {
      body: {
        owner: key.account,
        keyId: key.keyId,
        endpoint,
        via: 'connect',
        tools: tools.map((tool) => {
          const price = prices.get(tool.name);
          const description = tool.description === '' ? tool.name : head(tool.description, 2_000);
          return {
            name: tool.name,
            description,
            ...defined({ priceAtomic: price }),
          };
        }),
        ...defined({ name }),
      },
    }),
  );
  const fee = listed.charge === undefined ? 'for free' : `for ${listed.charge.display} USDC`;
  print(`listed ${fee}: ${listed.id}, ${listed.tools.length} tools\n${listed.listedEndpoint}\n`);
}

interface HostOptions {
  readonly key: string;
  readonly hub: string;
  readonly endpoint: string;
  readonly name: string | undefined;
  readonly prices: ReadonlyMap<string, string>;
}

function hostOptions(words: readonly string[]): HostOptions | undefined {
  const named = optionsOf(words, ['--key', '--hub', '--endpoint', '--name', '--prices']);
  const [key, endpoint] = [named?.get('--key'), named?.get('--endpoint')];
  const hub = (named?.get('--hub') ?? HUB_DEFAULT).replace(/\/+$/, '');
  const prices = pricesOf(named?.get('--prices'));
  const isWhole = key !== undefined && endpoint !== undefined && prices !== undefined;
  if (!isWhole || !URL.canParse(hub) || !URL.canParse(endpoint)) return undefined;
  return { key, hub, endpoint, name: named?.get('--name'), prices };
}

/** `TOOL=ATOMIC,...`; undefined when it is not that. */
function pricesOf(text: string | undefined): ReadonlyMap<string, string> | undefined {
  const pairs = (text ?? '').split(',').filter((each) => each !== '');
  const read = pairs.map((each) => /^([A-Za-z0-9_.-]{1,128})=(\d{1,16})$/.exec(each));
  if (read.includes(null)) return undefined;
  return new Map(read.map((match) => [match?.[1] ?? '', match?.[2] ?? '']));
}

const PAGES_MAX = 20;

/** The tools that an MCP server on this machine or network lists, in whatever era it speaks. */
async function localTools(endpoint: string): Promise<readonly unknown[]> {
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
