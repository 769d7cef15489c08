import assert from 'node:assert/strict';
import { postInside } from '../../db/ledger/postInside.ts';
import { houseAccount, parseAccount, type Account } from '../../domain/account.ts';
import { transferId, type Move } from '../../domain/ledger/transfer.ts';
import { atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Agent, Answer } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { claim, publish, RULE, type Body } from '../tasks/_work.ts';

/** Steps that the tests of credit and standing share. */
export const SUITE_MS_MAX = 60_000;
export const DAY = 86_400;

export function borrow(agent: Agent, taskId: string, over: Body = {}): Promise<Answer> {
  return agent.post('/api/v1/services/credit', { borrower: agent.account, taskId, ...over });
}

export interface Held {
  readonly taskId: string;
  readonly claimToken: string;
}

/** A task of the requester that the worker holds; a passing result is paid at once. */
export async function held(requester: Agent, worker: Agent, over: Body = {}): Promise<Held> {
  const body = { acceptance: RULE, disputeWindowSeconds: 0, ...over };
  const { id: taskId } = await publish(requester, body);
  return { taskId, claimToken: await claim(worker, taskId) };
}

export function deliver(worker: Agent, { taskId, claimToken }: Held, over: Body = {}) {
  const body = { claimToken, result: 'done', ...over };
  return worker.post(`/api/v1/tasks/${taskId}/submit`, body);
}

export function giveBack(worker: Agent, { taskId, claimToken }: Held): Promise<Answer> {
  return worker.post(`/api/v1/tasks/${taskId}/fail`, { claimToken });
}

export async function earn(requester: Agent, worker: Agent, over: Body = {}): Promise<void> {
  mustOk(await deliver(worker, await held(requester, worker, over)));
}

/** Refuses, says why, and says what to do next. */
export function refused(answer: Answer, code: string, error: RegExp, hint: RegExp): void {
  const body = mustRefuse(answer, 400, code);
  assert.match(String(body['error']), error);
  assert.match(String(body['hint']), hint);
}

export async function loansOf(agent: Agent): Promise<readonly Body[]> {
  return mustOk(await agent.get('/api/v1/me'))['loans'] as readonly Body[];
}

/** The public book of one network. */
export async function bookOf(world: Fixture, network = 'sandbox'): Promise<Body> {
  const { loanBook } = mustOk(await world.anyone.get('/api/v1/services'));
  return (loanBook as Body[]).find((line) => line['network'] === network) ?? {};
}

export async function standingOf(world: Fixture, agent: Agent, query = ''): Promise<Body> {
  return mustOk(await world.anyone.get(`/api/v1/passport/${agent.keyId}/karma${query}`));
}

export async function reasonsOf(world: Fixture, agent: Agent): Promise<readonly unknown[]> {
  const { entries } = await standingOf(world, agent);
  return (entries as Body[]).map((entry) => [
    entry['reason'],
    entry['delta'],
    entry['fullDelta'],
    entry['loweredBy'],
  ]);
}

export async function spendableOf(agent: Agent, network = 'sandbox'): Promise<unknown> {
  const wallet = await agent.get(`/api/v1/wallet/${agent.account}?network=${network}`);
  return at(mustOk(wallet), 'spendable');
}

export function accountOf(agent: Agent): Account {
  const account = parseAccount(agent.account);
  if (account === undefined) throw new Error(`not an account: ${agent.account}`);
  return account;
}

/** Moves money as no route does: a deposit on the real network, or the lender's funds elsewhere. */
export async function move(
  world: Fixture,
  network: NetworkId,
  { from, to, amount, reason }: Omit<Move, 'verb' | 'amount'> & { readonly amount: bigint },
): Promise<void> {
  const { store, ids, clock } = world.hub.running.hub;
  const id = transferId(ids.uuid());
  const posted = await store.write((tx) =>
    postInside(tx, {
      id,
      at: clock.now(),
      network,
      asset: 'USDC',
      event: 'test',
      ref: { kind: 'transfer', id },
      actor: 'hub',
      steps: [{ verb: 'move', from, to, amount: atomic(amount), reason }],
    }),
  );
  if ('refused' in posted) throw new Error(`${from} has ${posted.spendable}`);
}

export function deposit(world: Fixture, to: Account, amount: bigint): Promise<void> {
  const from = houseAccount('external:chain:base');
  return move(world, 'base', { from, to, amount, reason: 'deposit' });
}
