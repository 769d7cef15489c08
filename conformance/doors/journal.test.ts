import assert from 'node:assert/strict';
import { generateKey, type GeneratedKey } from '../../clients/typescript/sign.ts';
import { agentWith, type Agent } from '../harness/agents.ts';
import { at } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { ways, type Way } from './_ways.ts';
import type { Json } from './mcp/_door.ts';
import { settle } from '../harness/waiting.ts';

/**
 * One story over every way to the hub: the journal that it leaves is the same, transfer by transfer
 * and entry by entry. Only ids and times may differ.
 */
const FAUCET = '5000000';
const REWARD = '1000000';
const WINDOW_SECONDS = 2;
const PLANS = ['Free', 'Solo', 'Team', 'Business', 'Enterprise'];

interface Reported {
  readonly journal: readonly string[];
  /** The state that both runs read at the end, without moments and ids of tasks. */
  readonly wallets: readonly Json[];
  readonly statements: readonly unknown[];
}

async function report(way: Way, keys: readonly GeneratedKey[]): Promise<Reported> {
  const world = await openFixture();
  const [rita, walt] = keys.map((key) => agentWith(world.hub, key));
  assert.ok(rita !== undefined && walt !== undefined);
  const call = (by: Agent, operationId: string, given: Json): Promise<Json> =>
    way.call(world, by, operationId, given);
  try {
    const { account } = rita;
    await call(rita, 'wallet.credit', { owner: account, amount: FAUCET, idempotencyKey: 'first' });
    const waiting = call(walt, 'tasks.claimNext', { wait: 30, skills: ['extraction'] });
    await settle();
    const task = {
      requester: account,
      title: 'Name the five plan prices',
      rewardAmount: REWARD,
      acceptance: { kind: 'fields', checks: [{ path: 'plans', minLength: PLANS.length }] },
      requiredSkills: ['extraction'],
      disputeWindowSeconds: WINDOW_SECONDS,
      idempotencyKey: 'plan-prices-1',
    };
    const { id } = await call(rita, 'tasks.publish', task);
    assert.equal((await call(rita, 'tasks.publish', task))['repeated'], true);
    const first = await waiting;
    assert.equal(at(first, 'work', 'id'), id);
    const submit = (claim: Json, plans: readonly string[]): Promise<Json> =>
      call(walt, 'tasks.submit', { id, claimToken: claim['claimToken'], result: { plans } });
    assert.equal((await submit(first, PLANS.slice(1)))['outcome'], 'refused');
    const second = await call(walt, 'tasks.claim', { id, agentId: walt.account });
    assert.equal((await submit(second, PLANS))['outcome'], 'accepted');
    world.hub.clock.advance(WINDOW_SECONDS + 1);
    await world.hub.runJob('payoutRelease');
    assert.equal((await call(rita, 'tasks.get', { id }))['state'], 'paid');
    const pay = { owner: walt.account, to: account, amount: '7', idempotencyKey: 'thanks' };
    await call(walt, 'wallet.pay', pay);
    return {
      journal: await journalOf(world),
      wallets: [await walletOf(call, rita), await walletOf(call, walt)],
      statements: [await statementOf(call, rita), await statementOf(call, walt)],
    };
  } finally {
    await world.close();
  }
}

type Call = (by: Agent, operationId: string, given: Json) => Promise<Json>;

async function walletOf(call: Call, by: Agent): Promise<Json> {
  const { balance, spendable, owner } = await call(by, 'wallet.read', { owner: by.account });
  return { owner, balance, spendable };
}

async function statementOf(call: Call, by: Agent): Promise<unknown> {
  const { entries } = await call(by, 'wallet.statement', { owner: by.account, limit: 50 });
  const lines = entries as readonly Json[];
  return lines.map(({ seq, direction, reason, amount, balanceAfter, heldAfter }) =>
    [seq, direction, reason, amount, balanceAfter, heldAfter].join(' '),
  );
}

/** Every entry with its transfer, in order; shards of the hub's own accounts are one account. */
async function journalOf(world: Fixture): Promise<readonly string[]> {
  const { store } = world.hub.running.hub;
  const rows = await store.read(({ knex }) =>
    knex('entries')
      .join('transfers', 'transfers.seq', 'entries.transfer_seq')
      .join('accounts', 'accounts.id', 'entries.account_id')
      .orderBy(['transfer_seq', 'name', 'kind', 'delta'])
      .select<Json[]>([
        'transfers.network',
        'transfers.asset',
        ...['event', 'ref_kind', 'actor', 'memo', 'transfer_seq'],
        ...['name', 'kind', 'reason', 'counterparty', 'delta'],
      ]),
  );
  return rows.map((row) => JSON.stringify(row));
}

describe('one story, whichever the door', () => {
  let reported: ReadonlyMap<string, Reported>;
  before(async function reportAll() {
    this.timeout(60_000);
    const keys = [await generateKey(), await generateKey()];
    const stories = new Map<string, Reported>();
    for (const way of ways) stories.set(way.name, await report(way, keys));
    reported = stories;
  });

  const [http, ...others] = ways;
  const reportedBy = (way: Way | undefined): Reported => {
    const story = reported.get(way?.name ?? '');
    assert.ok(story !== undefined);
    return story;
  };

  it('ends with the worker paid 97% of the reward over HTTP', () => {
    const { wallets, journal } = reportedBy(http);
    assert.deepEqual(
      wallets.map(({ balance }) => balance),
      ['4000007', '969993'],
    );
    assert.ok(journal.length >= 8);
  });

  for (const other of others) {
    it(`leaves the same journal over ${other.name}`, () => {
      assert.deepEqual(reportedBy(other).journal, reportedBy(http).journal);
    });

    it(`shows the same wallets and statements over ${other.name}`, () => {
      assert.deepEqual(reportedBy(other).wallets, reportedBy(http).wallets);
      assert.deepEqual(reportedBy(other).statements, reportedBy(http).statements);
    });
  }
});
