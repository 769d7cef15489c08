import assert from 'node:assert/strict';
import { unwrap, type components } from '../typescript/index.ts';
import type { Shop } from './agents/shop.ts';
import { findTool, firstText } from './demoAgents.ts';
import { wallet, type Person } from './accounts.ts';
import { line, shortName, step, usdc } from './scenario.ts';

/** The third part of the demo: a paid tool, before and after its owner claims the listing. */
type CallResult = components['schemas']['CallResult'];

const QUESTION = 'What do the plans cost?';

/** Answers the code of the listing that asks for money. */
export async function callPriced(rita: Person, shop: Shop): Promise<string> {
  step(`Rita asks "${QUESTION}", and the tool that knows asks for money`);
  const agentId = await findTool(rita, { question: QUESTION, tool: shop.tool });
  const { receipt } = await call(rita, shop, agentId);
  assert.deepEqual([receipt.outcome, receipt.cost], ['priced', '0'], receipt.why);
  assert.equal(receipt.quotedPrice, `${shop.price}`);
  line(`${shop.tool} of ${shop.name} answers 402, and asks ${usdc(shop.price)}`);
  line(`the hub did not pay: ${receipt.why}`);
  return agentId;
}

export async function takeOver(ada: Person, shop: Shop, agentId: string): Promise<void> {
  step(
    `Ada runs ${shop.name}: she makes a passport, and publishes the proof that the hub asks for`,
  );
  const { keyId } = ada;
  unwrap(await ada.POST('/api/v1/passport', { body: { keyId, displayName: 'Ada' } }));
  const params = { path: { id: agentId }, query: { keyId } };
  const guide = unwrap(await ada.GET('/api/v1/agents/{id}/claim', { params }));
  const proof = guide.publish.find(({ method }) => method === 'well-known');
  assert.ok(!guide.claimed && proof !== undefined, 'it is unclaimed, and a document is a proof');
  const { origin, pathname } = new URL(proof.where);
  assert.equal(origin, shop.url);
  shop.publish(pathname, proof.value);
  line(`${proof.where} says ${proof.value}`);
  await prove(ada, origin);
  await claim(ada, agentId);
}

async function prove(ada: Person, origin: string): Promise<void> {
  step('The hub looks at the proof');
  const body = { origin, keyId: ada.keyId };
  const check = unwrap(await ada.POST('/api/v1/passport/verify', { body }));
  for (const { method, asked, outcome } of check.looks) line(`${method} ${asked}: ${outcome}`);
  assert.deepEqual([check.proved, check.recorded], [true, true]);
  line(`${check.domain} is Ada's: ${check.holder?.method ?? ''}, seen ${check.checkedAt}`);
}

async function claim(ada: Person, agentId: string): Promise<void> {
  step('Ada takes the listing');
  const body = { keyId: ada.keyId, agentId };
  const { count, claimed, karma } = unwrap(await ada.POST('/api/v1/passport/claim', { body }));
  assert.deepEqual([count, claimed.map(({ id }) => id)], [1, [agentId]]);
  const params = { path: { id: agentId } };
  const listing = unwrap(await ada.GET('/api/v1/agents/{id}', { params }));
  assert.equal(listing.passportKeyId, ada.keyId);
  line(`listing ${agentId} names her passport now; her karma is ${karma.total}, ${karma.tier}`);
}

export async function callPaid(
  rita: Person,
  ada: Person,
  shop: Shop,
  agentId: string,
): Promise<void> {
  step('Her agent takes the word of the hub for money, and Rita calls again');
  const { keys } = unwrap(await ada.GET('/keys'));
  for (const { keyId, state } of keys) if (state === 'active') shop.trust(keyId);
  line(`it serves what the hub signed with ${shortName(`key:${keys[0]?.keyId ?? ''}`)}`);
  assert.equal(await forged(shop), 402);
  line('a caller that sends the same header without the signature must still pay: 402');
  const before = [await wallet(rita), await wallet(ada)];
  const { receipt, result } = await call(rita, shop, agentId);
  assert.equal(receipt.outcome, 'served', receipt.why);
  assert.equal(firstText(result), shop.answer);
  assert.deepEqual([receipt.cost, receipt.paidTo], [`${shop.price}`, ada.account]);
  assert.ok(receipt.transferId !== undefined, 'what was paid names its transfer');
  const after = [await wallet(rita), await wallet(ada)];
  const moved = after.map(({ balance }, n) => BigInt(balance) - BigInt(before[n]?.balance ?? 0));
  assert.deepEqual(moved, [-shop.price, shop.price]);
  assert.deepEqual(
    after.map(({ held }) => held.total),
    ['0', '0'],
  );
  line(`"${shop.answer}"`);
  line(`cost ${usdc(receipt.cost)}, paid to ${shortName(ada.account)} by ${receipt.transferId}`);
}

/** Returns the shop's status for a call that only pretends to be paid. */
async function forged(shop: Shop): Promise<number> {
  const params = { name: shop.tool, arguments: {} };
  const { status } = await fetch(shop.endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'hub-credit': 'as good as paid' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return status;
}

async function call(rita: Person, shop: Shop, agentId: string): Promise<CallResult> {
  const maxPrice = `${2n * shop.price}`;
  const body = { caller: rita.account, agentId, operation: shop.tool, maxPrice };
  return unwrap(await rita.POST('/api/v1/call', { body }));
}
