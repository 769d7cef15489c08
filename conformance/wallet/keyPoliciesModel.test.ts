import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { fakeClock } from '../harness/clock.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { mustOk } from '../harness/must.ts';
import { publishChain, taskOf } from '../chains/_chain.ts';
import { bet, createMarket, resolve, takeSeat } from '../predictions/_markets.ts';
import { randomFrom, type Random } from '../kinds/simulate/random.ts';
import { act, publish, RULE, submit, type Body } from '../tasks/_work.ts';
import { joinedKey, limitsOf, payBy, setPolicy } from './_policies.ts';

const STEPS = 160;
const HOUR_MS = 3_600_000;
const LIMITS = { perHour: '4000000', perDay: '9000000', perMonth: '90000000' };
const WINDOWS = { hour: 13, day: 10, month: 7 } as const;

/** An amount that a key spent at a moment; it is gone once the money came back. */
interface Expense {
  readonly key: Agent;
  readonly at: number;
  amount: number;
}
/** Money that is out: who spent it, and what may happen next. */
interface Open {
  readonly kind: 'task' | 'chain' | 'market';
  readonly id: string;
  readonly owner: Agent;
  readonly worker: Agent;
  readonly expenses: Expense[];
  readonly by: 'rule' | 'hand' | 'open';
  readonly reward: number;
  /** Expenses of bets, by account and side. */
  readonly sides: Map<string, Expense[]>;
  delivered: boolean;
  readonly closesAt?: number;
}

/**
 * The expected counts of keys, written down apart from the hub: a list of expenses, from which one is
 * taken off only when its money is back in the account that it came from.
 */
hubsOnBothDatabases('a model of spending policies', (open) => {
  const clock = fakeClock(Date.parse('2026-11-28T21:10:00.000Z'));
  let world: Fixture;
  let judge: Agent;
  let accounts: readonly { readonly owner: Agent; readonly keys: readonly Agent[] }[];
  let expenses: Expense[] = [];
  let opened: Open[] = [];
  let random: Random;
  before(async () => {
    world = await open({ clock });
    judge = await world.agent();
    for (const agent of [judge, world.alice]) await world.fund(agent, '100000000');
    await takeSeat(judge);
    accounts = await Promise.all([newAccount(), newAccount()]);
  });

  const newAccount = async () => {
    const owner = await world.agent();
    await world.fund(owner, '900000000');
    const keys = [await joinedKey(world, owner), await joinedKey(world, owner)];
    for (const key of keys) mustOk(await setPolicy(owner, key, LIMITS));
    return { owner, keys };
  };

  const used = (key: Agent, window: keyof typeof WINDOWS): number => {
    const start = (at: number) => new Date(at).toISOString().slice(0, WINDOWS[window]);
    const now = start(clock.now());
    return expenses
      .filter((each) => each.key === key && start(each.at) === now)
      .reduce((sum, { amount }) => sum + amount, 0);
  };
  const mayTake = (key: Agent, amount: number): boolean =>
    used(key, 'hour') + amount <= Number(LIMITS.perHour) &&
    used(key, 'day') + amount <= Number(LIMITS.perDay);
  const isLimited = (key: Agent): boolean =>
    accounts.some(({ keys }) => keys.some(({ keyId }) => keyId === key.keyId));
  const spent = (key: Agent, amount: number): Expense[] => {
    if (!isLimited(key)) return [];
    const expense = { key, at: clock.now(), amount };
    expenses.push(expense);
    return [expense];
  };
  const back = (gone: readonly Expense[]): void => {
    expenses = expenses.filter((each) => !gone.includes(each));
  };
  const someone = () => {
    const account = random.pick(accounts);
    const [other = account] = accounts.filter((each) => each !== account);
    const key = random.pick([...account.keys, ...account.keys, account.owner]);
    return { key, owner: account.owner, worker: other.owner };
  };
  const some = (kind: Open['kind'], more: (each: Open) => boolean = () => true) => {
    const fit = opened.filter((each) => each.kind === kind && more(each));
    return fit.length === 0 ? undefined : random.pick(fit);
  };
  const close = (each: Open): void => {
    opened = opened.filter((other) => other !== each);
  };
  const note = (each: Pick<Open, 'kind' | 'id' | 'owner' | 'worker'> & Partial<Open>): void => {
    opened.push({
      by: 'hand',
      reward: 0,
      expenses: [],
      sides: new Map(),
      delivered: false,
      ...each,
    });
  };
  /** Whether the key may take the amount; otherwise the call must be refused. */
  const taken = async (key: Agent, amount: number, send: () => Promise<unknown>) => {
    if (!isLimited(key) || mayTake(key, amount)) return send();
    const refused = await send().then(
      () => assert.fail(`${amount} are above the limits of the key`),
      (error: unknown) => String(error),
    );
    assert.match(refused, /policy-limit/);
    return undefined;
  };

  const operations: Readonly<Record<string, () => Promise<void>>> = {
    async pay() {
      const { key, worker } = someone();
      const amount = 1 + random.below(900_000);
      const sent = await taken(key, amount, async () =>
        mustOk(await payBy(key, worker, `${amount}`)),
      );
      if (sent !== undefined) spent(key, amount);
    },
    async publish() {
      const { key, owner, worker } = someone();
      const amount = 100_000 + random.below(900_000);
      const by = random.pick(['rule', 'rule', 'hand', 'open'] as const);
      const terms: Readonly<Record<Open['by'], Body>> = {
        rule: { acceptance: RULE, autoAcceptSeconds: 0 },
        hand: {},
        open: { mode: 'open', acceptance: RULE },
      };
      const disputeWindowSeconds = random.pick([0, 1, 7200]);
      const body = { rewardAmount: `${amount}`, disputeWindowSeconds, ...terms[by] };
      const task = (await taken(key, amount, () => publish(key, body))) as Body | undefined;
      if (task === undefined) return;
      const id = String(task['id']);
      const reward = amount;
      note({ kind: 'task', id, owner, worker, by, reward, expenses: spent(key, amount) });
    },
    async deliver() {
      const task = some('task', ({ delivered }) => !delivered);
      if (task === undefined) return;
      const { worker, id, by } = task;
      const result = { agentId: worker.account, result: 'done' };
      if (by === 'open') mustOk(await act(worker, id, 'solution', result));
      else mustOk(await submit(worker, id, 'done'));
      task.delivered = true;
      if (by !== 'hand') close(task);
    },
    async accept() {
      const task = some('task', ({ delivered }) => delivered);
      if (task === undefined) return;
      const { keys, owner } = accounts.find((each) => each.owner === task.owner) ?? someoneElse();
      const key = random.pick([...keys, owner]);
      const { reward } = task;
      const isCounted = task.expenses.some((each) => each.key === key);
      const accept = async () =>
        mustOk(await act(key, task.id, 'accept', { requester: owner.account }));
      const sent = await taken(key, isCounted ? 0 : reward, accept);
      if (sent === undefined) return;
      if (!isCounted) spent(key, reward);
      close(task);
    },
    async cancel() {
      const task = some('task', ({ delivered }) => !delivered);
      if (task === undefined) return;
      const { owner, keys } = accounts.find((each) => each.owner === task.owner) ?? someoneElse();
      const key = random.pick([...keys, owner]);
      mustOk(await act(key, task.id, 'cancel', { requester: owner.account }));
      back(task.expenses);
      close(task);
    },
    async chain() {
      const { key, owner, worker } = someone();
      const steps = [1, 2, 3].map((n) => ({
        title: `Step ${n}`,
        rewardAmount: '200000',
        acceptance: RULE,
        disputeWindowSeconds: 1,
      }));
      const made = (await taken(key, 600_000, () => publishChain(key, steps))) as Body | undefined;
      if (made === undefined) return;
      note({
        kind: 'chain',
        id: String(made['id']),
        owner,
        worker,
        expenses: spent(key, 600_000),
      });
    },
    async step() {
      const chain = some('chain', ({ delivered }) => !delivered);
      if (chain === undefined) return;
      mustOk(await submit(chain.worker, await taskOf(world, chain, 1), 'done'));
      chain.delivered = true;
    },
    async abandon() {
      const chain = some('chain');
      if (chain === undefined) return;
      const body = { requester: chain.owner.account };
      mustOk(await chain.owner.post(`/api/v1/chains/${chain.id}/abandon`, body));
      if (!chain.delivered) back(chain.expenses);
      for (const expense of chain.expenses) expense.amount = 200_000;
      close(chain);
    },
    async market() {
      const closesAt = clock.now() + 2 * HOUR_MS;
      const body = { closesAt: new Date(closesAt).toISOString() };
      const { id } = mustOk(await createMarket(world, world.alice, body));
      const { owner, worker } = someone();
      note({ kind: 'market', id: String(id), owner, worker, closesAt });
    },
    async bet() {
      const market = some('market', ({ closesAt = 0 }) => clock.now() < closesAt);
      if (market === undefined) return;
      const { key, owner } = someone();
      const [side, amount] = [random.pick(['yes', 'no']), 100_000 + random.below(400_000)];
      const sent = await taken(key, amount, async () =>
        mustOk(await bet(key, market.id, side, amount)),
      );
      if (sent === undefined) return;
      const name = `${owner.account} ${side}`;
      market.sides.set(name, [...(market.sides.get(name) ?? []), ...spent(key, amount)]);
    },
    async resolve() {
      const market = some('market', ({ closesAt = 0 }) => clock.now() >= closesAt);
      if (market === undefined) return;
      const outcome = random.pick(['yes', 'no', 'void']);
      const answer = await resolve(judge, market.id, outcome);
      const ended = answer.status === 200 ? String(answer.body['outcome']) : 'void';
      for (const [name, held] of market.sides) {
        if (ended === 'void' || name.endsWith(` ${ended}`)) back(held);
      }
      close(market);
    },
    async wait() {
      clock.jump(random.pick([1_000, 1_800_000, HOUR_MS]));
      for (const job of ['autoAccept', 'payoutRelease']) await world.hub.runJob(job);
    },
  };
  const someoneElse = (): never => assert.fail('a task is of one of the accounts');

  it('gives a limited key back only what came back, after each of many random calls', async function run() {
    this.timeout(120_000);
    random = randomFrom(63);
    const names = Object.keys(operations);
    const matched = new Set<string>();
    for (let step = 0; step < STEPS; step += 1) {
      const name = random.pick(names);
      await operations[name]?.();
      for (const key of accounts.flatMap(({ keys }) => keys)) {
        const limits = await limitsOf(key);
        for (const window of ['hour', 'day', 'month'] as const) {
          assert.equal(
            limits[window]?.used,
            `${used(key, window)}`,
            `${window} after ${step} ${name}`,
          );
          if (limits[window]?.used !== '0') matched.add(window);
        }
      }
    }
    assert.equal(matched.size, 3);
  });
});
