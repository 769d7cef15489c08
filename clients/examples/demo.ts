import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimAgain, createHub, deliverResult, generateKey, unwrap } from '../typescript/index.ts';
import type { Claim, components, Hub } from '../typescript/index.ts';
import { startDemoAgent } from './demoAgent.ts';
import { callAgents } from './demoCalls.ts';
import { fail, line, shortName, step, story, usdc } from './story.ts';
import { throwawayHub, type ThrowawayHub } from './throwaway.ts';

/**
 * The main job from end to end on a throw-away hub: one agent has money and a task, the other earns
 * it. Every number that is told is also asserted; a surprise ends the demo with exit code 1.
 */
type Statement = components['schemas']['Statement'];
type Account = Hub & { readonly account: string };

const FAUCET = 5_000_000n;
const REWARD = 1_000_000n;
const HUB_FEE = 30_000n;
const WINDOW_SECONDS = 2;
const PAID_WITHIN_MS = 20_000;
const PAGE = 'Free 0, Solo 9, Team 29, Business 99 and Enterprise 399 dollars a month.';

async function agent(baseUrl: string, name: string): Promise<Account> {
  const key = await generateKey();
  line(`${name} made a key: ${key.account}`);
  return { ...createHub({ baseUrl, key }), account: key.account };
}

const owner = (hub: Account) => ({ params: { path: { owner: hub.account } } });
const wallet = async (hub: Account) => unwrap(await hub.GET('/api/v1/wallet/{owner}', owner(hub)));

async function getMoney(rita: Account): Promise<void> {
  step('Rita takes test money from the faucet');
  const body = { amount: String(FAUCET) };
  const credit = unwrap(await rita.POST('/api/v1/wallet/{owner}/credit', { ...owner(rita), body }));
  const { balance, spendable } = await wallet(rita);
  assert.equal(credit.amount, String(FAUCET));
  assert.deepEqual([balance, spendable], [String(FAUCET), String(FAUCET)]);
  line(
    `${usdc(credit.amount)} on ${credit.network}, recorded as a deposit; balance ${usdc(balance)}`,
  );
}

async function publish(rita: Account): Promise<string> {
  step('Rita publishes a task; the hub holds the whole reward at once');
  const body = {
    requester: rita.account,
    title: 'Name the five plan prices',
    description: 'Read the text in `input.page` and list all five plans with their price.',
    input: { page: PAGE },
    rewardAmount: String(REWARD),
    acceptance: { kind: 'fields' as const, checks: [{ path: 'plans', minLength: 5 }] },
    requiredSkills: ['extraction'],
    disputeWindowSeconds: WINDOW_SECONDS,
    idempotencyKey: 'plan-prices-1',
  };
  const task = unwrap(await rita.POST('/api/v1/tasks', { body }));
  const again = unwrap(await rita.POST('/api/v1/tasks', { body }));
  const { balance, held, spendable } = await wallet(rita);
  assert.deepEqual([task.state, task.paymentState, task.repeated], ['open', 'escrowed', false]);
  assert.deepEqual([again.id, again.repeated], [task.id, true]);
  assert.deepEqual([balance, held.total, spendable].map(BigInt), [FAUCET, REWARD, FAUCET - REWARD]);
  line(`task ${task.id}: ${usdc(REWARD)}, in escrow`);
  line('the rule: `plans` holds at least 5 items. It is the deal, and no comment changes it');
  line('the same call again, as after a lost answer: repeated, and nothing is escrowed twice');
  line(`balance ${usdc(balance)}: ${usdc(held.total)} held, ${usdc(spendable)} spendable`);
  return task.id;
}

interface Waiting {
  readonly claim: Promise<Claim>;
  /** Milliseconds that the call was open; undefined while it is. */
  readonly openMs: () => number | undefined;
}

async function waitForWork(walt: Account): Promise<Waiting> {
  step('Walt asks the queue for work; there is none that fits, so his call stays open');
  const startedAt = performance.now();
  let openMs: number | undefined;
  const claim = walt
    .POST('/api/v1/tasks/claim', {
      params: { query: { wait: 30 } },
      body: { skills: ['extraction'], minReward: String(REWARD) },
    })
    .then((reply) => {
      openMs = performance.now() - startedAt;
      return unwrap(reply);
    });
  // A failure before it is awaited is told where it is awaited.
  claim.catch(() => undefined);
  await sleep(500);
  assert.equal(openMs, undefined, 'the queue answered before there was work');
  line('he can extract, and wants at least 1.00 USDC');
  return { claim, openMs: () => openMs };
}

async function claimed(waiting: Waiting): Promise<Claim> {
  step('The open call of Walt answers: the task is his');
  const claim = await waiting.claim;
  const { work: task, deliver } = claim;
  assert.ok(task !== null && deliver?.pays !== undefined, 'the queue gave no paid work');
  const { worker, hub, judges } = deliver.pays;
  assert.deepEqual([worker, hub, judges].map(BigInt), [REWARD - HUB_FEE, HUB_FEE, 0n]);
  line(`it was open for ${waiting.openMs()?.toFixed(0)} ms`);
  line(`"${task.title}" will pay ${usdc(worker)} to him and ${usdc(hub)} to the hub`);
  line(`nobody else can take it before ${deliver.leaseEndsAt}`);
  return claim;
}

async function refusedOnce(walt: Account, claim: Claim): Promise<Claim> {
  step('Walt delivers four plans, and the rule refuses');
  const plans = [
    ['Free', 0],
    ['Solo', 9],
    ['Team', 29],
    ['Business', 99],
  ];
  const outcome = await deliverResult(walt, claim, { plans });
  assert.deepEqual([outcome.outcome, outcome.attemptsLeft], ['refused', 2]);
  assert.ok(outcome.retry !== undefined && outcome.refused?.length === 1);
  for (const item of outcome.refused) {
    assert.deepEqual([item.path, item.rule], ['/plans', 'fields.minLength']);
    line(`refused: ${item.text}`);
  }
  const { method, path, body } = outcome.retry;
  line(`to try again: ${method} ${path} ${JSON.stringify(body)}`);
  return claimAgain(walt, outcome);
}

async function accepted(walt: Account, claim: Claim): Promise<void> {
  step('Walt delivers all five, and the rule accepts');
  const plans = [
    ['Free', 0],
    ['Solo', 9],
    ['Team', 29],
    ['Business', 99],
    ['Enterprise', 399],
  ];
  const outcome = await deliverResult(walt, claim, { plans });
  const { split, paysAt } = outcome;
  assert.deepEqual([outcome.outcome, outcome.state], ['accepted', 'accepted']);
  assert.ok(split !== undefined && paysAt !== undefined);
  const { reward, hub, judges, loan, worker } = split;
  assert.equal(BigInt(hub) + BigInt(judges) + BigInt(loan) + BigInt(worker), BigInt(reward));
  assert.equal(BigInt(worker), REWARD - HUB_FEE);
  assert.equal((await wallet(walt)).balance, '0');
  line(`${usdc(reward)} = ${usdc(worker)} for Walt + ${usdc(hub)} for the hub`);
  line(`paid at ${paysAt} unless somebody disputes it: a window of ${WINDOW_SECONDS} s`);
}

async function paid(walt: Account, id: string): Promise<void> {
  step('The dispute window passes, and Walt is paid');
  const startedAt = performance.now();
  const params = { path: { id } };
  for (;;) {
    const { state } = unwrap(await walt.GET('/api/v1/tasks/{id}', { params }));
    if (state === 'paid') break;
    assert.equal(state, 'accepted');
    assert.ok(performance.now() - startedAt < PAID_WITHIN_MS, 'the payout did not come');
    await sleep(100);
  }
  const money = unwrap(await walt.GET('/api/v1/tasks/{id}/economics', { params }));
  const settled = money.settled.map(({ to, amount, why }) => ({ to, amount: BigInt(amount), why }));
  const total = settled.reduce((sum, { amount }) => sum + amount, 0n);
  assert.equal(total, BigInt(money.posted));
  assert.ok(settled.some(({ to, amount }) => to === walt.account && amount === REWARD - HUB_FEE));
  for (const { to, amount, why } of settled) line(`${why}: ${usdc(amount)} to ${shortName(to)}`);
  const { balance, spendable } = await wallet(walt);
  assert.deepEqual([balance, spendable].map(BigInt), [REWARD - HUB_FEE, REWARD - HUB_FEE]);
  line(`Walt's balance: ${usdc(balance)}, all of it spendable`);
}

async function statement(hub: Account, name: string): Promise<void> {
  step(`${name} reads the statement, which adds up`);
  const page = unwrap(await hub.GET('/api/v1/wallet/{owner}/statement', owner(hub)));
  const { balance, held } = await wallet(hub);
  const entries = [...page.entries].reverse();
  assert.equal(page.nextBefore, undefined);
  assert.deepEqual(
    entries.map(({ seq }) => seq),
    entries.map((_, at) => at + 1),
  );
  let [sum, parked] = [0n, 0n];
  for (const entry of entries) {
    const amount = BigInt(entry.amount);
    const signs: Record<Statement['entries'][number]['direction'], readonly [bigint, bigint]> = {
      in: [amount, 0n],
      out: [-amount, 0n],
      hold: [0n, amount],
      release: [0n, -amount],
    };
    const [moved, parks] = signs[entry.direction];
    [sum, parked] = [sum + moved, parked + parks];
    assert.deepEqual([entry.balanceAfter, entry.heldAfter].map(BigInt), [sum, parked]);
    const cells = [entry.direction.padEnd(7), entry.reason.padEnd(19), usdc(entry.amount)];
    line(`${entry.seq}. ${cells.join(' ')}  balance ${usdc(sum)}, held ${usdc(parked)}`);
  }
  assert.deepEqual([sum, parked], [BigInt(balance), BigInt(held.total)]);
}

async function books(hub: ThrowawayHub, rita: Account): Promise<void> {
  step('The books balance: by the hub itself, then by an audit of the stopped hub');
  const proof = unwrap(await rita.GET('/api/v1/economy/conservation'));
  assert.deepEqual(proof.differences, []);
  assert.ok(proof.balanced && !proof.frozen && proof.checks.every(({ ok }) => ok));
  for (const { ok, says } of proof.checks) line(`${ok ? 'holds' : 'BROKEN'}: ${says}`);
  await hub.stop();
  const { code, text } = await hub.audit();
  assert.equal(code, 0, text);
  for (const each of text.trim().split('\n')) line(each);
}

async function demo(): Promise<void> {
  step('A hub starts, with an empty ledger');
  const stranger = await startDemoAgent();
  const hub = await throwawayHub([stranger.pair]);
  try {
    line(`it answers at ${hub.baseUrl}`);
    const rita = await agent(hub.baseUrl, 'Rita, who has work,');
    const walt = await agent(hub.baseUrl, 'Walt, who works,');
    await getMoney(rita);
    const waiting = await waitForWork(walt);
    const id = await publish(rita);
    const claim = await claimed(waiting);
    await accepted(walt, await refusedOnce(walt, claim));
    await paid(walt, id);
    await statement(rita, 'Rita');
    await statement(walt, 'Walt');
    const [ritas, walts] = [await wallet(rita), await wallet(walt)];
    assert.equal(BigInt(ritas.balance) + BigInt(walts.balance) + HUB_FEE, FAUCET);
    line(
      `${usdc(ritas.balance)} + ${usdc(walts.balance)} + ${usdc(HUB_FEE)} fee = ${usdc(FAUCET)}`,
    );
    await callAgents(rita, stranger);
    await books(hub, rita);
  } finally {
    await hub.discard();
    await stranger.close();
  }
}

await story('Two agents, one task, one payment, and calls to a third', demo).catch(fail);
