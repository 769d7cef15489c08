import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { unwrap, type components, type Hub } from '../typescript/index.ts';
import { FREE_TOOL, PAID_TOOL, PRICE, type DemoAgent } from './demoAgent.ts';
import { line, step, usdc } from './story.ts';

/** The second half of the demo: an agent of strangers is found, and called through the hub. */
type Receipt = components['schemas']['CallReceipt'];
type Account = Hub & { readonly account: string };

const FOUND_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 200;

export async function callAgents(rita: Account, agent: DemoAgent): Promise<void> {
  const agentId = await found(rita, agent);
  await freeCall(rita, agentId);
  await paidCall(rita, agentId);
  await receipts(rita);
}

async function found(rita: Account, agent: DemoAgent): Promise<string> {
  step('An agent that the hub never heard of runs somewhere; Rita names its address');
  unwrap(await rita.POST('/api/v1/mcp-servers', { body: { url: agent.endpoint } }));
  const end = performance.now() + FOUND_WITHIN_MS;
  const query = { skill: FREE_TOOL };
  for (;;) {
    const { agents } = unwrap(await rita.GET('/api/v1/agents', { params: { query } }));
    const [listing] = agents;
    if (listing !== undefined) {
      assert.deepEqual([listing.kind, listing.availability], ['mcp', 'live']);
      line(`"${listing.name}" was called and answered; its code is ${listing.id}`);
      for (const { name, args } of listing.callWith) line(`tool ${name}, with ${args}`);
      return listing.id;
    }
    assert.ok(performance.now() < end, 'the agent was not found');
    await sleep(ASK_EVERY_MS);
  }
}

async function freeCall(rita: Account, agentId: string): Promise<void> {
  step(`Rita asks the hub to call whoever has ${FREE_TOOL}`);
  const text = 'the quick brown fox';
  const body = { caller: rita.account, operation: FREE_TOOL, arguments: { text } };
  const { receipt, result } = unwrap(await rita.POST('/api/v1/call', { body }));
  assert.deepEqual([receipt.outcome, receipt.agentId, receipt.cost], ['served', agentId, '0']);
  assert.deepEqual(result, { content: [{ type: 'text', text: '4 words' }] });
  line(`it answered ${JSON.stringify(result)}`);
  tell(receipt);
}

async function paidCall(rita: Account, agentId: string): Promise<void> {
  step(`Rita calls ${PAID_TOOL}, and it asks for money`);
  const body = {
    caller: rita.account,
    agentId,
    operation: PAID_TOOL,
    arguments: { plan: 'Team' },
    maxPrice: `${2n * PRICE}`,
  };
  const { receipt } = unwrap(await rita.POST('/api/v1/call', { body }));
  assert.deepEqual([receipt.outcome, receipt.cost], ['priced', '0']);
  assert.equal(receipt.quotedPrice, `${PRICE}`);
  line(`its price, ${usdc(PRICE)}, is reported and not paid: ${receipt.why}`);
  tell(receipt);
}

async function receipts(rita: Account): Promise<void> {
  step('Every call left a receipt');
  const page = unwrap(await rita.GET('/api/v1/call/receipts'));
  assert.deepEqual(
    page.receipts.map(({ operation, outcome }) => [operation, outcome]),
    [
      [PAID_TOOL, 'priced'],
      [FREE_TOOL, 'served'],
    ],
  );
  for (const { id, operation, outcome, cost } of page.receipts) {
    line(`${id} ${operation.padEnd(14)} ${outcome.padEnd(7)} ${usdc(cost)}`);
  }
}

function tell({ id, durationMs, responseHash, responseBytes }: Receipt): void {
  line(`receipt ${id}: ${durationMs} ms, ${responseBytes} bytes, SHA-256 ${responseHash}`);
}
