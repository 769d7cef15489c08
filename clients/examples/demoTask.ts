import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimAgain, deliverResult, unwrap, type Claim } from '../typescript/index.ts';
import { wallet, type Person } from './accounts.ts';
import { eventually, line, shortName, step, usdc } from './scenario.ts';

/** The first part of the demo, the main job: one has money and a task, the other earns it. */
export const REWARD = 1_000_000n;
export const HUB_FEE = 30_000n;
const WINDOW_SECONDS = 2;
const PAGE = 'Free 0, Solo 9, Team 29, Business 99 and Enterprise 399 dollars a month.';

export async function work(rita: Person, walt: Person, faucet: bigint): Promise<void> {
  const waiting = await waitForWork(walt);
  const id = await publish(rita, faucet);
  const claim = await claimed(waiting);
  await accepted(walt, await refusedOnce(walt, claim), id);
  await paid(walt, id);
}

async function publish(rita: Person, faucet: bigint): Promise<string> {
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
  assert.deepEqual([balance, held.total, spendable].map(BigInt), [faucet, REWARD, faucet - REWARD]);
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

async function waitForWork(walt: Person): Promise<Waiting> {
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
  // An early failure is reported where the claim is awaited.
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
  line(`no other worker can take it before ${deliver.leaseEndsAt}`);
  return claim;
}

async function refusedOnce(walt: Person, claim: Claim): Promise<Claim> {
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

async function accepted(walt: Person, claim: Claim, id: string): Promise<void> {
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
  const { balance } = await wallet(walt);
  const { state } = unwrap(await walt.GET('/api/v1/tasks/{id}', { params: { path: { id } } }));
  if (state === 'accepted') assert.equal(balance, '0', 'paid before its time');
  line(`${usdc(reward)} = ${usdc(worker)} for Walt + ${usdc(hub)} for the hub`);
  line(`paid at ${paysAt} unless it is disputed: a window of ${WINDOW_SECONDS} s`);
}

async function paid(walt: Person, id: string): Promise<void> {
  step('The dispute window passes, and Walt is paid');
  const params = { path: { id } };
  await eventually('the payout', async () => {
    const { state } = unwrap(await walt.GET('/api/v1/tasks/{id}', { params }));
    if (state === 'paid') return state;
    assert.equal(state, 'accepted');
    return undefined;
  });
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
