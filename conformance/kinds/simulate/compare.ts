import { agentOf, heldOf, spendableOf } from './model/books.ts';
import { moneyOf } from './model/chains.ts';
import { isDue, settleDue } from './model/clock.ts';
import { karmaOf } from './model/karma.ts';
import { defaultsAt, isUnpaid, loansOf } from './model/loans.ts';
import type { Chain, Model, Task } from './model/types.ts';
import { at, compareFields, type Body } from './fields.ts';
import { comparePanels } from './comparePanels.ts';
import type { Names } from './requests.ts';
import type { Site } from './site.ts';

/** Tasks, chains and agents as the hub shows them, held against the model. */
export async function compareTask(
  site: Site,
  names: Names,
  model: Model,
  task: Task,
): Promise<readonly string[]> {
  // A read applies what is due, also while the scheduler is stopped (choices pipeline.due).
  settleDue(model, task);
  const id = names.ids.get(task.name);
  const { body } = await site.call(undefined, { method: 'GET', path: `/api/v1/tasks/${id}` });
  const workers = (at(body, 'workers') as readonly Body[] | undefined) ?? [];
  return [
    ...compareFields(task.name, body, {
      state: task.state,
      paymentState: task.hold === 'none' ? 'none' : 'escrowed',
      'reward.amount': task.reward > 0n ? String(task.reward) : undefined,
      'terms.revision': task.revision,
      attempts: task.attempts.length,
    }),
    ...compareFields(
      `${task.name} workers`,
      { list: workers.map((each) => `${String(each['id'])} ${String(each['state'])}`).sort() },
      { list: task.attempts.map(({ name, state }) => `${names.ids.get(name)} ${state}`).sort() },
    ),
    ...comparePanels(site, names, task, body),
  ];
}

/** Where the money of a task is: all of what was posted is held, settled or refunded. */
export async function compareEconomics(
  site: Site,
  names: Names,
  task: Task,
): Promise<readonly string[]> {
  const path = `/api/v1/tasks/${names.ids.get(task.name)}/economics`;
  const { body } = await site.call(undefined, { method: 'GET', path });
  const amounts = [
    at(body, 'held.amount'),
    at(body, 'refunded.amount'),
    ...((body['settled'] as readonly Body[] | undefined) ?? []).map((each) => each['amount']),
  ];
  const sum = amounts.reduce<bigint>((total, each) => total + BigInt(String(each ?? 0)), 0n);
  return compareFields(
    `${task.name} economics`,
    { ...body, sum: String(sum) },
    {
      posted: String(task.posted),
      sum: String(task.posted),
      'held.kind': task.hold === 'none' ? undefined : task.hold,
      'held.amount': task.hold === 'none' ? undefined : String(task.reward),
    },
  );
}

/** A chain in public view; the answer also has the ids of the tasks of its steps. */
export async function compareChain(
  site: Site,
  names: Names,
  model: Model,
  chain: Chain,
): Promise<{ readonly wrong: readonly string[]; readonly tasks: readonly unknown[] }> {
  for (const step of chain.opened) settleDue(model, step);
  const path = `/api/v1/chains/${names.ids.get(chain.name)}`;
  const { body } = await site.call(undefined, { method: 'GET', path });
  const steps = (body['steps'] as readonly Body[] | undefined) ?? [];
  const { total, spent, stillHeld, refunded } = moneyOf(model, chain);
  // A step that was not opened waits for its turn, or went back with the rest of the money.
  const unopened = chain.state === 'running' ? 'waiting' : 'refunded';
  const wrong = compareFields(
    chain.name,
    { ...body, states: steps.map((step) => step['state']) },
    {
      state: chain.state,
      total: String(total),
      spent: String(spent),
      stillHeld: String(stillHeld),
      refunded: String(refunded),
      states: chain.steps.map((_, n) => chain.opened[n]?.state ?? unopened),
    },
  );
  return { wrong, tasks: steps.map((step) => step['taskId']) };
}

/** Whether something is due that no job and no call has applied yet. */
function isStale(model: Model): boolean {
  const tasks = [...model.tasks.values()];
  return (
    tasks.some((task) => isDue(model, task)) ||
    model.loans.some((loan) => loan.state === 'due' && defaultsAt(loan) <= model.now)
  );
}

export async function compareAgent(
  site: Site,
  names: Names,
  model: Model,
  index: number,
): Promise<readonly string[]> {
  // Its own reads show decisions that are due before they are written; see compareTask for those.
  if (isStale(model)) return [];
  const agent = agentOf(model, index);
  const { body } = await site.call(index, { method: 'GET', path: '/api/v1/me' });
  const loans = (at(body, 'loans') as readonly Body[] | undefined) ?? [];
  const owed = loans.map(
    (loan) => `${String(loan['id'])} ${String(loan['state'])} ${String(loan['outstanding'])}`,
  );
  const expected = loansOf(model, index)
    .filter(isUnpaid)
    .map(
      (loan) =>
        `${names.ids.get(loan.name)} ${loan.state} ${loan.principalLeft + loan.originationLeft}`,
    );
  const wrong = compareFields(
    `agent ${index}`,
    { ...body, owed: owed.sort() },
    {
      'wallet.balance': String(agent.balance),
      'wallet.held.total': String(heldOf(agent)),
      'wallet.spendable': String(spendableOf(agent)),
      'karma.total': karmaOf(agent),
      owed: expected.sort(),
    },
  );
  if (karmaOf(agent) === at(body, 'karma.total')) return wrong;
  const keyId = site.accounts[index]?.replace('key:', '') ?? '';
  const path = `/api/v1/passport/${keyId}/karma?limit=200`;
  const reported = await site.call(undefined, { method: 'GET', path });
  const entries = (reported.body['entries'] as readonly Body[] | undefined) ?? [];
  const line = (why: unknown, delta: unknown): string => `${String(why)} ${String(delta)}`;
  return [
    ...wrong,
    `karma there: ${entries.map((each) => line(each['reason'], each['delta'])).join(', ')}`,
    `karma here: ${agent.karma
      .toReversed()
      .map(({ why, delta }) => line(why, delta))
      .join(', ')}`,
  ];
}
