// Deposits of a full block, withdrawals, a call paid over x402 or on balance, and the watcher. The
// chain is Anvil; hub and bench share a process, so figures include the chain's answers.
import { endRun } from '../../harness/withoutRunner.ts';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { TREASURY } from '../../harness/chain/hub.ts';
import { mustOk } from '../../harness/must.ts';
import { faultyChain } from '../../rails/faults.ts';
import { walletPath } from '../../wallet/_signed.ts';
import {
  callBody,
  newPayer,
  openPaidFixture,
  payV2,
  quoteFor,
  type Payer,
} from '../../x402/_fixture.ts';
import { keyIdOf, parseAccount } from '../../../domain/account.ts';
import { chainHash, evmAddress } from '../../../domain/rails/evm.ts';
import type { ChainPort, TokenTransfer } from '../../../workflows/kernel/chain/port.ts';
import { signerOf } from '../../../workflows/kernel/x402/authorization.ts';
import { readPayment } from '../../../domain/x402/payment.ts';
import { line, median } from './harness.mjs';

const DEPOSITS = Number(process.env['BENCH_DEPOSITS'] ?? 5_000);
const WITHDRAWALS = Number(process.env['BENCH_WITHDRAWALS'] ?? 200);
const CALLS = Number(process.env['BENCH_CALLS'] ?? 20);
const ROUNDS = 3;
const CHECKS = 500;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

/** Logs of a block that no node of the tests would take: it has more than its gas allows. */
let extra: readonly TokenTransfer[] = [];
const chaos = faultyChain();
const wrapChain = (port: ChainPort): ChainPort => {
  const wrapped = chaos.wrap(port);
  return {
    ...wrapped,
    async transfers(from, to, receivers) {
      const found = await wrapped.transfers(from, to, receivers);
      const isAsked = (each: TokenTransfer): boolean =>
        each.blockNumber >= from && each.blockNumber <= to;
      const wanted = receivers === 'all' ? undefined : new Set(receivers);
      const more = extra.filter((each) => isAsked(each) && (wanted?.has(each.to) ?? true));
      return [...found, ...more];
    },
  };
};
chaos.faults.neverFinal = true;

const folder = mkdtempSync(join(tmpdir(), 'hub-bench-rails-'));
const world = await openPaidFixture({
  databaseUrl: `sqlite:${join(folder, 'hub.sqlite')}`,
  wrapChain,
});
const { chain, hub } = world;
const { store } = hub.running.hub;
try {
  await chain.mint(TREASURY.address, 10_000_000_000n);
  await hub.runJob('deposits');
  await deposits();
  await watching();
  await withdrawals();
  await calls();
} finally {
  await world.close();
  await endRun();
  rmSync(folder, { recursive: true, force: true });
}

async function deposits(): Promise<void> {
  const addresses = Array.from({ length: DEPOSITS }, () =>
    evmAddress(`0x${randomBytes(20).toString('hex')}`),
  );
  const rows = addresses.map((address, place) => {
    const account = parseAccount(`key:${keyIdOf(randomBytes(32))}`);
    return { network: 'base', account, place: place + 1_000, address, created_at: 1 };
  });
  await store.write(async (tx) => {
    for (let n = 0; n < rows.length; n += 100) {
      await tx.knex('deposit_addresses').insert(rows.slice(n, n + 100));
    }
  });
  await chain.mine(1);
  const block = await chain.client.getBlock();
  extra = addresses.map((to, logIndex) => ({
    txHash: chainHash(`0x${randomBytes(32).toString('hex')}`),
    logIndex,
    blockNumber: Number(block.number),
    blockHash: chainHash(block.hash),
    from: TREASURY.address as TokenTransfer['from'],
    to,
    amount: 1_000_000n,
  }));
  const seen = await timed(() => hub.runJob('deposits'));
  await chain.mine(8);
  const credited = await timed(() => hub.runJob('deposits'));
  const count = await store.read((db) =>
    db.knex('chain_deposits').where({ state: 'credited' }).count('* as n').first(),
  );
  if (Number(count?.['n']) !== DEPOSITS) throw new Error(`${String(count?.['n'])} were credited`);
  extra = [];
  const perSecond = (ms: number): string => Math.round((DEPOSITS * 1000) / ms).toLocaleString('en');
  line(`a block of ${DEPOSITS} transfers to as many addresses`);
  line(`  noted when seen    ${perSecond(seen)}/s`);
  line(`  credited when deep ${perSecond(credited)}/s`);
}

async function watching(): Promise<void> {
  for (const blocks of [1, 100]) {
    await chain.mine(blocks);
    const from = chaos.asked();
    await hub.runJob('deposits');
    line(`watching ${blocks} new blocks, ${DEPOSITS} addresses: ${chaos.asked() - from} questions`);
  }
}

/** A payer with 900 USDC on its balance. */
async function richPayer(): Promise<Payer> {
  const payer = await newPayer(world, 0n);
  const made = mustOk(await payer.agent.post(`${walletPath(payer.agent)}/deposit-address`));
  await chain.mint(made['address'] as `0x${string}`, 900_000_000n);
  await hub.runJob('deposits');
  await chain.mine(8);
  await hub.runJob('deposits');
  return payer;
}

async function withdrawals(): Promise<void> {
  const { agent, wallet } = await richPayer();
  const body = { address: wallet.address, amount: '1000000' };
  const asked = await timed(async () => {
    for (let n = 0; n < WITHDRAWALS; n += 1) {
      mustOk(await agent.post(`${walletPath(agent)}/withdraw`, body));
    }
  });
  const pending = async (): Promise<number> => {
    const row = await store.read((db) =>
      db.knex('withdrawals').where({ state: 'pending' }).count('* as n').first(),
    );
    return Number(row?.['n']);
  };
  let rounds = 0;
  const carried = await timed(async () => {
    for (; (await pending()) > 0; rounds += 1) {
      await hub.runJob('hotWallet');
      await chain.mine(7);
      hub.clock.advance(20);
      await hub.runJob('hotWallet');
      await hub.runJob('withdrawals');
    }
  });
  const aMinute = (ms: number): string =>
    Math.round((WITHDRAWALS * 60_000) / ms).toLocaleString('en');
  line(
    `withdrawals a minute: asked for ${aMinute(asked)}, carried ${aMinute(carried)} (${rounds} rounds)`,
  );
}

/** Blocks have the time of the machine, the hub of a test stands still. */
async function keepTime(): Promise<void> {
  const { timestamp } = await chain.client.getBlock();
  const behind = Number(timestamp) - Math.floor(hub.clock.now() / 1000);
  if (behind > 0) hub.clock.advance(behind);
}

async function calls(): Promise<void> {
  const rich = await richPayer();
  const poor = await newPayer(world, 900_000_000n);
  const onBalance: number[] = [];
  const paid: number[] = [];
  let header: { readonly 'payment-signature': string } | undefined;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [first, second]: [number[], number[]] = [[], []];
    for (let n = 0; n < CALLS; n += 1) {
      const own = callBody(world, rich.agent);
      first.push(await timed(async () => mustOk(await rich.agent.post('/api/v1/call', own))));
      await keepTime();
      const body = callBody(world, poor.agent);
      const made = await payV2(world, poor.wallet, await quoteFor(poor.agent, body));
      header = made;
      second.push(await timed(async () => mustOk(await poor.call(body, made))));
    }
    if (round === 0) continue;
    onBalance.push(median(first));
    paid.push(median(second));
  }
  const [a, b] = [median(onBalance), median(paid)];
  line(
    `a call on balance ${a.toFixed(1)} ms, paid over x402 ${b.toFixed(1)} ms: ${(b / a).toFixed(1)} times`,
  );
  const payment = readPayment({ v1: undefined, v2: header?.['payment-signature'] });
  if (payment === undefined || 'fault' in payment) throw new Error('a payment cannot be read');
  const facts = hub.running.hub.chains.facts('base');
  if (facts === undefined) throw new Error('there is no chain');
  const domain = {
    chainId: facts.chainId,
    asset: facts.token,
    token: { name: 'USD Coin', version: '2' },
  };
  const { authorization, signature } = payment;
  const { paymentSignatures } = hub.running.hub;
  await checked('on the event loop', () => signerOf(domain, authorization, signature));
  await checked('beside it', () => paymentSignatures.signerOf(domain, authorization, signature));
}

/** One after the other: how long each takes, and how long the event loop worked for it. */
async function checked(where: string, check: () => Promise<unknown>): Promise<void> {
  await check();
  const each: number[] = [];
  const before = performance.eventLoopUtilization();
  for (let n = 0; n < CHECKS; n += 1) each.push(await timed(check));
  const { active } = performance.eventLoopUtilization(before);
  const [whole, busy] = [median(each).toFixed(2), (active / CHECKS).toFixed(2)];
  line(`the signature of a payment is checked ${where} in ${whole} ms, ${busy} ms of the loop`);
}
