import { createHash } from 'node:crypto';
import { houseAccount } from '../../domain/account.ts';
import type { Agent, Answer } from '../harness/agents.ts';
import { at, mustOk } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { deposit } from '../services/_lend.ts';
import { act, claim, publish, RULE, type Body } from './_work.ts';

/** Earns the welcome bonus as an agent does: reads the paper like a person would, and works. */
const MONTHS =
  'January February March April May June July August September October November December';

export function readPaper(text: string): Body {
  const found = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';
  const [, day = '', month = '', year = ''] = /Issued on (\d+) (\w+) (\d+)/.exec(text) ?? [];
  const monthNumber = MONTHS.split(' ').indexOf(month) + 1;
  return {
    number: found(/invoice (\S+),/),
    customer: found(/ to (.+) for order/),
    issued: `${year}-${String(monthNumber).padStart(2, '0')}-${day.padStart(2, '0')}`,
    total: found(/To pay: (\S+)/),
    reference: found(/for order (\S+)\./),
    digest: createHash('sha256').update(text).digest('hex'),
  };
}

export async function openTrial(agent: Agent): Promise<Body> {
  return mustOk(await agent.post('/api/v1/trials', { account: agent.account }));
}

export async function deliverTrial(agent: Agent, over: Body = {}): Promise<Answer> {
  const trial = await openTrial(agent);
  const result = { ...readPaper(String(at(trial, 'work', 'input', 'document'))), ...over };
  const id = String(at(trial, 'work', 'id'));
  return act(agent, id, 'submit', { claimToken: trial['claimToken'], result });
}

/** Paid jobs on the sandbox; `requester` pays them from the faucet. */
export async function doJobs(requester: Agent, worker: Agent, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    const over = { acceptance: RULE, disputeWindowSeconds: 0, rewardAmount: '10000' };
    const { id } = await publish(requester, over);
    const claimToken = await claim(worker, id);
    mustOk(await act(worker, id, 'submit', { claimToken, result: 'done' }));
  }
}

export async function standing(world: Fixture, agent: Agent): Promise<Body> {
  return mustOk(await world.anyone.get(`/api/v1/welcome/${agent.account}`));
}

/** Real money comes from the chain alone; the house's part of it is put there by hand. */
export function fundWelcome(world: Fixture, amount: bigint): Promise<void> {
  return deposit(world, houseAccount('hub:welcome'), amount);
}
