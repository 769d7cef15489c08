import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/**
 * An agent as strangers run them: an MCP server with a free tool and one that asks for money over
 * x402. It knows nothing of the hub; that the hub finds it is what the demo shows.
 */
export interface DemoAgent {
  readonly endpoint: string;
  /** `host:port`, for HUB_ALLOW_PRIVATE_HOSTS: the hub calls no private address unless it is told to. */
  readonly pair: string;
  close(): Promise<void>;
}

export const FREE_TOOL = 'count-words';
export const PAID_TOOL = 'price-of-plan';
export const PRICE = 2_500n;

const TOOLS = [
  tool(FREE_TOOL, 'Counts the words of a text.', 'text'),
  tool(PAID_TOOL, 'Looks up what a plan costs.', 'plan'),
];
/** USDC on the test network of Base. */
const TEST_USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const QUOTE = {
  x402Version: 1,
  error: 'X-PAYMENT header is required',
  accepts: [
    {
      scheme: 'exact',
      network: 'base-sepolia',
      maxAmountRequired: `${PRICE}`,
      asset: TEST_USDC,
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      resource: `mcp://tool/${PAID_TOOL}`,
      description: 'One lookup',
      maxTimeoutSeconds: 60,
    },
  ],
};

export async function startDemoAgent(): Promise<DemoAgent> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const pair = `127.0.0.1:${address.port}`;
  return {
    endpoint: `http://${pair}/mcp`,
    pair,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((done) => server.close(() => done()));
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  let text = '';
  for await (const piece of request) text += String(piece);
  if (request.url !== '/mcp' || request.method !== 'POST') return send(404, { error: 'not here' });
  const { id, method, params } = JSON.parse(text) as Rpc;
  const result = (value: unknown): void => send(200, { jsonrpc: '2.0', id, result: value });
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  switch (method) {
    case 'initialize': {
      const serverInfo = { name: 'Plan helper', version: '1.0.0' };
      const capabilities = { tools: {} };
      return result({ protocolVersion: '2025-06-18', capabilities, serverInfo });
    }
    case 'tools/list':
      return result({ tools: TOOLS });
    case 'tools/call': {
      if (params?.name === PAID_TOOL) return send(402, QUOTE);
      const words = String(params?.arguments?.['text'] ?? '').match(/\S+/g) ?? [];
      return result({ content: [{ type: 'text', text: `${words.length} words` }] });
    }
    default:
      return send(200, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'no such method' } });
  }
}

interface Rpc {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
  };
}

function tool(name: string, description: string, argument: string): object {
  const properties = { [argument]: { type: 'string' } };
  return { name, description, inputSchema: { type: 'object', properties, required: [argument] } };
}
