import { runMcpBridge } from '../../clients/bridge/mcpBridge.ts';
import { bindKey, createHub, type GeneratedKey } from '../../clients/typescript/index.ts';
import { keys } from '../../clients/typescript/node.ts';
import { signer } from '../../clients/typescript/sign.ts';
import type { Command } from './command.ts';
import { HUB_DEFAULT, optionsOf } from './options.ts';

/**
 * `hub mcp --key FILE [--hub URL] [--join FILE]`: a stdio MCP server that signs for its host and
 * forwards to a hub. The key is made when the file is missing, and readable by its owner alone. With
 * `--join` it first joins the account of the key in that file, signed by both, so that several
 * hosts can work for one account, each with a key of its own.
 */
export const mcp: Command = async (words) => {
  const options = bridgeOptions(words);
  if (options === undefined) return undefined;
  const key = await keys.loadOrGenerate(options.key);
  const account = await accountOf(key, options);
  // Standard output belongs to the protocol.
  process.stderr.write(`${account} at ${options.hub}\n`);
  await runMcpBridge({
    hub: options.hub,
    signer: signer(key),
    input: process.stdin,
    output: process.stdout,
  });
  return 0;
};

async function accountOf(
  key: GeneratedKey,
  { hub: baseUrl, join }: { readonly hub: string; readonly join: string | undefined },
): Promise<string> {
  if (join === undefined) return key.account;
  const hub = createHub({ baseUrl, key: await keys.load(join) });
  return (await bindKey(hub, key)).owner;
}

function bridgeOptions(
  words: readonly string[],
): { readonly key: string; readonly hub: string; readonly join: string | undefined } | undefined {
  const named = optionsOf(words, ['--key', '--hub', '--join']);
  const [key, hub = HUB_DEFAULT] = [named?.get('--key'), named?.get('--hub')];
  if (key === undefined || !URL.canParse(hub)) return undefined;
  return { key, hub: hub.replace(/\/+$/, ''), join: named?.get('--join') };
}
