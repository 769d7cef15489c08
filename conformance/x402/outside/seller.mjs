import express from 'express';
import { createWalletClient, defineChain, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { paymentMiddleware } from 'x402-express';
import { settle, verify } from 'x402/facilitator';

/** A seller of version 1: an MCP server behind `x402-express`, paid on the chain it is given. */
const [port, facilitatorPort, rpc, token, payTo, key, amount] = process.argv.slice(2);
const NETWORK = 'base';
const CHAIN_ID = 8_453;

const chain = defineChain({
  id: CHAIN_ID,
  name: NETWORK,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [rpc] } },
});
const account = privateKeyToAccount(key);
const wallet = createWalletClient({ account, chain, transport: http(rpc) }).extend(publicActions);

const facilitator = express().use(express.json());
const asked = (step) => async (request, response) => {
  const { paymentPayload, paymentRequirements } = request.body;
  response.json(await step(wallet, paymentPayload, paymentRequirements));
};
facilitator.post('/verify', asked(verify));
facilitator.post('/settle', asked(settle));
await listening(facilitator, facilitatorPort);

const asset = { address: token, decimals: 6, eip712: { name: 'USD Coin', version: '2' } };
const routes = { 'POST /mcp': { price: { amount, asset }, network: NETWORK } };
const url = `http://127.0.0.1:${facilitatorPort}`;
const paid = paymentMiddleware(payTo, routes, { url });
const app = express().use(express.json());
app.post('/mcp', (request, response, next) => {
  if (request.body.method === 'tools/call') void paid(request, response, next);
  else next();
});
app.post('/mcp', ({ body: { id, method } }, response) => {
  if (id === undefined) return void response.status(202).end();
  const serverInfo = { name: 'seller', version: '1' };
  const opened = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo };
  const sold = { content: [{ type: 'text', text: 'sold' }] };
  response.json({ jsonrpc: '2.0', id, result: method === 'initialize' ? opened : sold });
});
await listening(app, port);
process.send('ready');
process.once('disconnect', () => process.exit());

function listening(server, at) {
  return new Promise((resolve) => server.listen(Number(at), '127.0.0.1', resolve));
}
