// A bare SDK server with one tool, without sessions: one server a request, as documented.
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [, , port] = process.argv;
const NETWORK = {
  network: 'sandbox',
  asset: 'USDC',
  decimals: 6,
  kind: 'test',
  faucet: true,
  confirmations: 0,
  watched: false,
};
const ANSWER = { defaultNetwork: 'sandbox', count: 3, networks: [NETWORK, NETWORK, NETWORK] };
const TOOL = {
  name: 'networks',
  title: 'List the networks',
  description: 'Chains that are settled on, confirmation depth, and whether each is watched.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
};

function newServer() {
  const server = new Server({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [TOOL] }));
  server.setRequestHandler(CallToolRequestSchema, () => ({
    content: [{ type: 'text', text: JSON.stringify(ANSWER) }],
    structuredContent: ANSWER,
  }));
  return server;
}

createServer((request, response) => {
  const server = newServer();
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  response.once('close', () => {
    void transport.close();
    void server.close();
  });
  void server.connect(transport).then(() => transport.handleRequest(request, response));
}).listen(Number(port), '127.0.0.1', () => process.send('ready'));
