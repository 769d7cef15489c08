import assert from 'node:assert/strict';
import { mustOk } from '../../harness/must.ts';
import type { Fixture } from '../../harness/fixture.ts';
import type { Answer } from '../../harness/agents.ts';
import { bet, deposit, accountOf, closing, createMarket } from '../../predictions/_markets.ts';
import { resolve, takeSeat } from '../../predictions/_markets.ts';
import { arbiterOf, disputed, rule } from '../../tasks/_disputing.ts';
import type { Body } from '../../tasks/_work.ts';
import {
  accepts,
  delivered,
  isSilent,
  openCourt,
  recordOf,
  rejects,
  seat,
  tick,
  type Judge,
  type PanelDriver,
} from '../../validators/_court.ts';
import type { Meets } from './_follow.ts';

/** Refusals of seats and rulings; the first three judges sit, the others do not yet. */
export interface JudgesFixture extends Fixture {
  readonly driver: PanelDriver;
}

export async function openJudges(): Promise<JudgesFixture> {
  const driver = await openCourt({ judges: 6, unseated: true });
  const [a, b, c] = driver.judges;
  assert.ok(a !== undefined && b !== undefined && c !== undefined);
  for (const judge of [a, b, c]) await seat(judge, { stake: '1000000' });
  await tick(driver.world);
  await driver.world.hub.runJob('seatProbes');
  return { ...driver.world, driver, close: () => driver.close() };
}

function judgeAt({ driver }: JudgesFixture, nth: number): Judge {
  const judge = driver.judges[nth];
  assert.ok(judge !== undefined);
  return judge;
}

/** The one that was drawn to rule on a dispute has left. */
async function seatedJudge(fixture: JudgesFixture): Promise<Judge> {
  for (const nth of [0, 1]) {
    const judge = judgeAt(fixture, nth);
    if ((await recordOf(fixture.driver, judge))['state'] === 'seated') return judge;
  }
  return assert.fail('two of the first judges have left');
}

const register = ({ agent }: Judge, endpoint: string): Promise<Answer> =>
  agent.post('/api/v1/validators', { account: agent.account, endpoint });
/** Half of twenty rounds retire a seat, and it is not drawn for each. */
const ROUNDS_MAX = 40;

const OF_RULINGS: Meets<JudgesFixture> = {
  'bad-verdict': async ({ driver }) => {
    const { id } = await disputed(driver);
    const arbiter = await arbiterOf(driver, id);
    return {
      by: arbiter,
      answer: await rule(arbiter, id, 'maybe'),
      says: /one of those three words; with `split` add `workerShareBps`/,
      helps: () => rule(arbiter, id, 'split', { workerShareBps: 5_000 }),
    };
  },
  'share-needs-split': async ({ driver }) => {
    const { id } = await disputed(driver);
    const arbiter = await arbiterOf(driver, id);
    return {
      by: arbiter,
      answer: await rule(arbiter, id, 'upheld', { workerShareBps: 5_000 }),
      says: /without `workerShareBps`, or with the verdict `split`/,
      helps: () => rule(arbiter, id, 'upheld'),
    };
  },
};

const OF_SEATS: Meets<JudgesFixture> = {
  'seat-exists': async (fixture) => {
    const [sits, stands] = [judgeAt(fixture, 0), judgeAt(fixture, 3)];
    return {
      by: stands.agent,
      answer: await register(stands, sits.endpoint),
      says: /an endpoint on a host of your own.*GET \/api\/v1\/validators/,
      helps: () => register(stands, stands.endpoint),
    };
  },
  'endpoint-refused': async (fixture) => {
    const judge = judgeAt(fixture, 4);
    return {
      by: judge.agent,
      answer: await register(judge, 'https://10.0.0.1/verdict'),
      says: /public https address/,
      helps: () => register(judge, 'https://judge.example.org/verdict'),
    };
  },
  'endpoint-silent': async (fixture) => {
    const judge = judgeAt(fixture, 5);
    judge.does(isSilent, 'synthetic too');
    await seat(judge);
    await fixture.hub.runJob('seatProbes');
    return {
      by: judge.agent,
      answer: await register(judge, judge.endpoint),
      says: /answer from the public internet.*a minute after the last try `POST/,
      helps: async () => {
        judge.does(accepts, 'synthetic too');
        fixture.hub.clock.advance(60);
        return register(judge, judge.endpoint);
      },
    };
  },
  'seat-busy': async (fixture) => {
    const { driver } = fixture;
    const { id } = await disputed(driver);
    const agent = await arbiterOf(driver, id);
    const leave = (): Promise<Answer> =>
      agent.post('/api/v1/validators/resign', { account: agent.account });
    return {
      by: agent,
      answer: await leave(),
      says: /Answer the open cases.*GET \/api\/v1\/disputes\?arbiter=key:/,
      helps: async (_, hint) => {
        const [, path = ''] = /GET (\/api\/v1\/disputes\?\S+?)`/.exec(hint) ?? [];
        const { disputes } = mustOk(await agent.get(path)) as { disputes: readonly Body[] };
        for (const each of disputes) mustOk(await rule(agent, String(each['taskId']), 'rejected'));
        return leave();
      },
    };
  },
};

const OF_STAKES: Meets<JudgesFixture> = {
  'ceiling-too-low': async (fixture) => {
    const { agent, hub } = fixture;
    const [maker, bettor, small] = [await agent(), await agent(), await agent()];
    for (const each of [maker, bettor, small]) await deposit(fixture, accountOf(each), 9_000_000n);
    await takeSeat(small, { network: 'base', stake: '100000' });
    const over = { network: 'base', closesAt: closing(fixture, 3_600) };
    const id = String(mustOk(await createMarket(fixture, maker, over))['id']);
    mustOk(await bet(bettor, id, 'yes', 1_500_001));
    hub.clock.advance(3_600);
    return {
      by: small,
      answer: await resolve(small, id, 'yes'),
      says: /Raise the stake with `POST \/api\/v1\/validators`/,
      helps: async () => {
        await takeSeat(small, { network: 'base', stake: '200000' });
        return resolve(small, id, 'yes');
      },
    };
  },
  'seat-retired': async (fixture) => {
    const { driver } = fixture;
    const judge = await seatedJudge(fixture);
    judge.does(rejects);
    await tick(fixture);
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      if ((await recordOf(driver, judge))['state'] === 'retired') break;
      await delivered(driver, { disputeWindowSeconds: 0 });
      await driver.sit();
    }
    const answer = await register(judge, judge.endpoint);
    return {
      by: judge.agent,
      answer,
      says: /retired once and for all.*GET \/api\/v1\/validators.*POST \/api\/v1\/tasks\/claim/,
      helps: async () => {
        const task = { title: 'x', rewardAmount: '10000' };
        const { alice } = driver.world;
        mustOk(await alice.post('/api/v1/tasks', { requester: alice.account, ...task }));
        const { account } = judge.agent;
        return judge.agent.post('/api/v1/tasks/claim', { agentId: account });
      },
    };
  },
};

export const JUDGES: Meets<JudgesFixture> = { ...OF_RULINGS, ...OF_SEATS, ...OF_STAKES };
