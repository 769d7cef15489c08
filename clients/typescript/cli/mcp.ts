import { Readable } from 'node:stream';
import { runMcpBridge } from '../../bridge/mcpBridge.ts';
import { bindKey } from '../bindKey.ts';
import { createHub } from '../index.ts';
import { keys } from '../node.ts';
import { signer } from '../sign.ts';
import { textOf, wordsOf, type Command } from './command.ts';
import { homeOf } from './home.ts';

export const mcp: Command = {
  usage: 'mcp [--join FILE] [--toolsets NAMES]',
  summary: 'an MCP server on standard input and output, which signs',
  options: { join: { type: 'string' }, toolsets: { type: 'string' } },
  help: `It signs with the key of --key, which it makes when it is missing.

  --join FILE    first its key joins the account of the key in FILE, signed by both, so that several
                 hosts can work for one account, each with a key of its own
  --toolsets NAMES  the tools that the host is shown: "default" has twelve, which find and call the
                    rest; "all" has every tool, "tasks,wallet" those of areas
`,
  run: async (call) => {
    wordsOf(call);
    const { keyFile, baseUrl } = await homeOf(call);
    const key = await keys.loadOrGenerate(keyFile);
    const join = textOf(call, 'join');
    const account =
      join === undefined
        ? key.account
        : (await bindKey(createHub({ baseUrl, key: await keys.load(join) }), key)).owner;
    // Standard output belongs to the protocol.
    call.io.err(`${account} at ${baseUrl}\n`);
    await runMcpBridge({
      hub: baseUrl,
      signer: signer(key),
      toolsets: textOf(call, 'toolsets') ?? 'default',
      input: Readable.from(call.io.stdin),
      write: call.io.out,
    });
    return 0;
  },
};
