import { runMcpBridge } from '../../clients/bridge/mcpBridge.ts';
import { keys } from '../../clients/typescript/node.ts';
import { signer } from '../../clients/typescript/sign.ts';
import type { Command } from './command.ts';

const HUB = 'http://127.0.0.1:4020';

/**
 * `hub mcp --key FILE [--hub URL]`: a stdio MCP server that signs for its host and forwards to a
 * hub. The key is made when the file is missing, and readable by its owner alone.
 */
export const mcp: Command = async (words) => {
  const options = optionsOf(words);
  if (options === undefined) return undefined;
  const key = await keys.loadOrGenerate(options.key);
  // Standard output belongs to the protocol.
  process.stderr.write(`${key.account} at ${options.hub}\n`);
  await runMcpBridge({
    hub: options.hub,
    signer: signer(key),
    input: process.stdin,
    output: process.stdout,
  });
  return 0;
};

function optionsOf(
  words: readonly string[],
): { readonly key: string; readonly hub: string } | undefined {
  const named = new Map<string, string>();
  for (let at = 0; at < words.length; at += 2) {
    const [name, value] = [words[at], words[at + 1]];
    if ((name !== '--key' && name !== '--hub') || value === undefined) return undefined;
    named.set(name, value);
  }
  const [key, hub = HUB] = [named.get('--key'), named.get('--hub')];
  if (key === undefined || !URL.canParse(hub)) return undefined;
  return { key, hub: hub.replace(/\/+$/, '') };
}
