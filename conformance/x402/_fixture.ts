import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hex } from 'viem';
import type { HDAccount } from 'viem/accounts';
import { generateKey, signRequest, signer } from '../../clients/typescript/sign.ts';
import { accountAt, startChain, type Chain } from '../harness/chain/anvil.ts';
import { chainEnv } from '../harness/chain/hub.ts';
import { fakeClock } from '../harness/clock.ts';
import { agentWith, exchange, plain, type Agent, type Answer } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import type { TestHubOptions } from '../harness/hub.ts';
import { mustRefuse } from '../harness/must.ts';
import { echo, startAgent, type ScriptedAgent } from '../router/_agent.ts';
import { list } from '../router/_fixture.ts';

/** Names that clients of version 1 know a chain by; this is Base's, on a chain of the tests. */
export const BASE_CHAIN_ID = 8_453;
export const SUITE_MS_MAX = 120_000;
export const PRICE = '5000';

/** A chain, a hub on network `base` that settles on it, and an agent whose tool costs PRICE. */
export interface PaidFixture extends Fixture {
  readonly chain: Chain;
  readonly agent_: ScriptedAgent;
  readonly agentId: string;
  /** Settings of the chain, for another hub on it. */
  readonly env: Readonly<Record<string, string>>;
}

export interface PaidOptions extends TestHubOptions {
  readonly chainId?: number;
  /** `host:port` pairs besides the agent's. */
  readonly alsoCalls?: readonly string[];
}

export async function openPaidFixture(options: PaidOptions = {}): Promise<PaidFixture> {
  const { chainId = BASE_CHAIN_ID, alsoCalls = [], ...rest } = options;
  const chain = await startChain({ chainId });
  const folder = mkdtempSync(join(tmpdir(), 'hub-x402-'));
  const agent_ = await startAgent({ convert: echo });
  const env = {
    HUB_NETWORK: 'base',
    HUB_X402_FACILITATOR: 'local',
    ...chainEnv(chain, folder),
    HUB_CHAIN_ID: String(chainId),
    HUB_ALLOW_PRIVATE_HOSTS: [agent_.site.pair, ...alsoCalls].join(','),
    ...options.env,
  };
  const fixture = await openFixture({ clock: fakeClock(Date.now()), ...rest, env });
  const holder = await fixture.agent();
  const agentId = await list(fixture, agent_, ['convert'], { holder, price: PRICE });
  return {
    ...fixture,
    chain,
    agent_,
    agentId,
    env,
    async close() {
      try {
        await fixture.close();
      } finally {
        await agent_.site.close();
        await chain.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** An agent with the wallet that is its payout address. */
export interface Payer {
  readonly agent: Agent;
  readonly wallet: HDAccount;
  /** Sends a signed call with a payment; the signature covers it. */
  call(body: Json, header: Readonly<Record<string, string>>, path?: string): Promise<Answer>;
}

/** `dollars` are atomic units in the wallet; the account has nothing. */
export async function newPayer(
  world: PaidFixture,
  dollars: bigint,
  wallet: HDAccount = freshWallet(),
): Promise<Payer> {
  const key = await generateKey();
  const agent = agentWith(world.hub, key);
  await registerPayout(world, agent.account, wallet);
  if (dollars > 0n) await world.chain.mint(wallet.address, dollars);
  return {
    agent,
    wallet,
    async call(body, header, path = '/api/v1/call') {
      const request = plain(world.hub, 'POST', path, body);
      for (const [name, value] of Object.entries(header)) request.headers.set(name, value);
      return exchange(await signRequest(request, signer(key), world.hub.clock.now()));
    },
  };
}

export async function registerPayout(
  world: PaidFixture,
  account: string,
  wallet: HDAccount,
): Promise<void> {
  const row = {
    network: 'base',
    account,
    address: wallet.address.toLowerCase(),
    set_at: world.hub.clock.now(),
  };
  await world.hub.running.hub.store.write(async (tx) => {
    await tx.knex('payout_addresses').insert(row);
  });
}

export async function pass(world: PaidFixture, seconds: number): Promise<void> {
  world.hub.clock.advance(seconds);
  await world.chain.client.increaseTime({ seconds });
  await world.chain.mine(1);
}

let walletCount = 10;
export function freshWallet(): HDAccount {
  walletCount += 1;
  return accountAt(walletCount);
}

type Json = Record<string, unknown>;
let calls = 0;

/** The body of a call to the tool; once-only under a key of its own. */
export function callBody(world: PaidFixture, caller: Agent, more: Json = {}): Json {
  calls += 1;
  const body = { caller: caller.account, agentId: world.agentId, operation: 'convert' };
  return { ...body, maxPrice: PRICE, idempotencyKey: `paid-${calls}`, ...more };
}

export async function quoteFor(agent: Agent, body: Json): Promise<Quote> {
  const answer = await agent.post('/api/v1/call', body);
  return quoteIn(answer, 'payment-required');
}

export interface Quote {
  readonly v1: Json;
  readonly v2: Json;
}

export function quoteIn(answer: Answer, code: string): Quote {
  const body = mustRefuse(answer, 402, code);
  const [v1] = body['accepts'] as Json[];
  assert.ok(v1 !== undefined, answer.text);
  const header = answer.headers.get('payment-required');
  assert.ok(header !== null);
  const required = JSON.parse(Buffer.from(header, 'base64').toString()) as Json;
  const [v2] = required['accepts'] as Json[];
  assert.ok(v2 !== undefined);
  return { v1, v2 };
}

/** Where a payment is made: its chain, and the time there. */
export interface Payable {
  readonly chain: Chain;
  readonly hub: { readonly clock: { now(): number } };
}

/** Changes to what is signed, or to what is said around it after signing. */
export interface Changes {
  readonly signed?: Partial<Authorization>;
  readonly sent?: Partial<Record<keyof Authorization, string>>;
  readonly outside?: Json;
  /** Who signs, when it is not the wallet that pays. */
  readonly by?: HDAccount;
}

export interface Authorization {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: Hex;
}

/** Makes a payment of version 1 for a quote, without a library for x402. */
export async function payV1(
  world: Payable,
  wallet: HDAccount,
  { v1 }: Quote,
  changes: Changes = {},
): Promise<{ readonly 'x-payment': string }> {
  const payload = await payloadOf(world, wallet, String(v1['maxAmountRequired']), v1, changes);
  const { network, scheme } = v1;
  const payment = { x402Version: 1, scheme, network, payload, ...changes.outside };
  return { 'x-payment': encoded(payment) };
}

export async function payV2(
  world: Payable,
  wallet: HDAccount,
  { v2 }: Quote,
  changes: Changes = {},
): Promise<{ readonly 'payment-signature': string }> {
  const payload = await payloadOf(world, wallet, String(v2['amount']), v2, changes);
  const amount = String(changes.signed?.value ?? v2['amount']);
  const payment = { x402Version: 2, accepted: { ...v2, amount }, payload, ...changes.outside };
  return { 'payment-signature': encoded(payment) };
}

/** Sends the authorization of a payment to the token, as every account on the chain can. */
export async function sendAuthorization(
  { chain }: Pick<Payable, 'chain'>,
  header: Readonly<Record<string, string>>,
): Promise<void> {
  const { 0: text = '' } = Object.values(header);
  const { payload } = JSON.parse(Buffer.from(text, 'base64').toString()) as {
    payload: { signature: Hex; authorization: Record<string, string> };
  };
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization;
  const numbers = [value, validAfter, validBefore].map((each) => BigInt(each ?? ''));
  const call = [from, to, ...numbers, nonce, payload.signature];
  await chain.write(accountAt(6), 'transferWithAuthorization', call);
}

export function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

/** Returns how a payment of this answer ended, in the receipt of each version. */
export function receiptsIn({ headers }: Answer): readonly [Json, Json] {
  const read = (name: string): Json => {
    const text = headers.get(name);
    assert.ok(text !== null, name);
    return JSON.parse(Buffer.from(text, 'base64').toString()) as Json;
  };
  return [read('x-payment-response'), read('payment-response')];
}

async function payloadOf(
  world: Payable,
  wallet: HDAccount,
  amount: string,
  offer: Json,
  { signed, sent, by = wallet }: Changes,
): Promise<Json> {
  const seconds = BigInt(Math.floor(world.hub.clock.now() / 1000));
  const message: Authorization = {
    from: wallet.address,
    to: offer['payTo'] as Hex,
    value: BigInt(amount),
    validAfter: seconds - 600n,
    validBefore: seconds + 120n,
    nonce: `0x${randomBytes(32).toString('hex')}`,
    ...signed,
  };
  const signature = await by.signTypedData({
    domain: {
      ...(offer['extra'] as { readonly name: string; readonly version: string }),
      chainId: world.chain.client.chain.id,
      verifyingContract: offer['asset'] as Hex,
    },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
  });
  const texts = Object.entries(message).map(([name, value]) => [name, String(value)]);
  return { signature, authorization: { ...Object.fromEntries(texts), ...sent } };
}

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;
