// Many small MCP servers in one process, for the crawler; sends their ports to the parent.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const SITES = Number(process.argv[2] ?? 500);
const TOOLS = 5;

const tools = Array.from({ length: TOOLS }, (_, n) => ({
  name: n === 0 ? 'status' : `create-${n}`,
  description: `Tool number ${n} of this server.`,
  inputSchema: { type: 'object', properties: { a: { type: 'string', description: 'Anything.' } } },
}));

function resultOf(method: string): unknown {
  if (method === 'initialize') {
    const serverInfo = { name: 'bench-agent', version: '1.0.0' };
    return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'tools/list') return { tools };
  return method === 'tools/call' ? { content: [{ type: 'text', text: 'ok' }] } : undefined;
}

function answer(response: ServerResponse, status: number, value?: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(value === undefined ? '' : JSON.stringify(value));
}

const ports: number[] = [];
let requests = 0;
for (let n = 0; n < SITES; n += 1) {
  const server = createServer((request, response) => {
    requests += 1;
    if (request.method !== 'POST') return answer(response, 404);
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { id, method } = JSON.parse(text) as { id?: string; method: string };
      const result = resultOf(method);
      if (id === undefined) answer(response, 202);
      else if (result !== undefined) answer(response, 200, { jsonrpc: '2.0', id, result });
      else answer(response, 400, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'no' } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ports.push((server.address() as AddressInfo).port);
}
process.send?.({ ports });
process.on('message', () => process.send?.({ requests }));
process.on('disconnect', () => process.exit(0));
