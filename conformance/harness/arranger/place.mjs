import { createServer } from 'node:http';

/**
 * The one place of a run that the hub can call: a judge that accepts, an A2A agent that knows no
 * task, at a domain that is proved, an MCP server that converts amounts, and a page with a price.
 */
const RATE = 1.08;
const USDC_ON_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const QUOTE = {
  x402Version: 2,
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      asset: USDC_ON_BASE,
      amount: '2000',
      payTo: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
      maxTimeoutSeconds: 60,
      extra: { name: 'USD Coin', version: '2' },
    },
  ],
};
export const TOOL = {
  name: 'convert',
  description: 'Converts an amount of EUR to USD.',
  inputSchema: {
    type: 'object',
    required: ['from', 'to', 'amount'],
    properties: {
      from: { type: 'string' },
      to: { type: 'string' },
      amount: { type: 'string' },
    },
  },
};

export function openPlace(pair, firstOwner) {
  let owner = firstOwner;
  let version = 0;
  let opened;

  /** The card of an A2A agent, version 1.0, with a text that proves whose it is. */
  function card() {
    const skill = { id: 'echo', name: 'Echo', description: 'Says it again.', tags: ['text'] };
    return {
      name: 'Echo',
      description: `Repeats the text that it gets. hub-key=${owner}`,
      version: `1.${version}.0`,
      supportedInterfaces: [
        { url: `http://${pair}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      ],
      capabilities: {},
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills:
        version === 0 ? [skill] : [{ ...skill, description: `Says it ${version + 1} times.` }],
    };
  }

  function answerOf(path, text) {
    if (path === '/verdict') return { verdict: 'accepted', reason: 'It is there.' };
    if (path === '/.well-known/agent-card.json') return card();
    if (path === '/paid') return QUOTE;
    if (path === '/.well-known/hub.json') return { key: owner };
    if (path !== '/a2a' && path !== '/mcp') return undefined;
    const { id, method, params } = JSON.parse(text || '{}');
    if (path === '/mcp') return id === undefined ? undefined : mcp(id, method, params);
    const error = { code: -32001, message: 'There is no such task.' };
    return { jsonrpc: '2.0', id: id ?? null, error };
  }

  async function begin() {
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const part of request) text += part;
      const answer = answerOf(request.url, text);
      const isNotice = request.url === '/mcp' && request.method === 'POST';
      const status = answer === undefined ? (isNotice ? 202 : 404) : answer === QUOTE ? 402 : 200;
      response.setHeader('content-type', 'application/json');
      response.writeHead(status).end(JSON.stringify(answer));
    });
    server.unref();
    const [host, port] = pair.split(':');
    await new Promise((resolve) => server.listen(Number(port), host, resolve));
    return `http://${pair}`;
  }

  return {
    open: () => {
      if (pair === undefined) throw new Error('the hub at HUB_URL cannot call a place of ours');
      opened ??= begin();
      return opened;
    },
    /** Whose the place says that it is. */
    says: (keyId) => {
      owner = keyId;
    },
    /** The agent has another card from now on. */
    changes: () => {
      version += 1;
    },
  };
}

function mcp(id, method, params) {
  const answer = (rest) => ({ jsonrpc: '2.0', id, ...rest });
  if (method === 'initialize') {
    const serverInfo = { name: 'prices', version: '1.0.0' };
    const { protocolVersion } = params;
    return answer({ result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  }
  if (method === 'tools/list') return answer({ result: { tools: [TOOL] } });
  if (method !== 'tools/call' || params.name !== TOOL.name) {
    return answer({ error: { code: -32601, message: 'There is no such method or tool.' } });
  }
  const text = (Number(params.arguments.amount) * RATE).toFixed(2);
  return answer({ result: { content: [{ type: 'text', text }] } });
}
