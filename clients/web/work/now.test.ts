import assert from 'node:assert/strict';
import type { Task } from '../types.ts';
import { nowOf } from './now.ts';

const ME = 'key:me';
const step = (action: string, who = 'any worker', until?: string): Task['next'][number] => ({
  action,
  who,
  call: { method: 'POST', path: '/' },
  ...(until !== undefined && { until }),
});
const attempt = (state: Task['workers'][number]['state'], worker = ME) =>
  ({ worker, state, leaseEndsAt: 'lease' }) as Task['workers'][number];
const task = (over: Partial<Parameters<typeof nowOf>[0]>): Parameters<typeof nowOf>[0] => ({
  state: 'open',
  mode: 'exclusive',
  tags: [],
  next: [step('tasks.claim')],
  workers: [],
  requester: 'key:them',
  verification: 'requester',
  deadline: 'deadline',
  history: [],
  ...over,
});
const accept = step('tasks.accept', ME, 'silence');

describe('what to do with a task now', () => {
  it('begins with a key, then with the call that the task lists', () => {
    assert.deepEqual(nowOf(task({}), undefined), { name: 'makeKey' });
    assert.deepEqual(nowOf(task({}), ME), { name: 'claim' });
    assert.deepEqual(nowOf(task({ next: [step('tasks.solution')] }), ME), { name: 'offer' });
    assert.deepEqual(nowOf(task({ next: [step('tasks.pitch')] }), ME), { name: 'plan' });
    assert.deepEqual(nowOf(task({ next: [step('tasks.claim', ME, 'hour')] }), ME), {
      name: 'claimChosen',
      until: 'hour',
    });
    assert.deepEqual(nowOf(task({ next: [step('tasks.claim', 'key:x')], state: 'held' }), ME), {
      name: 'taken',
    });
    assert.deepEqual(nowOf(task({ tags: ['thread'] }), ME), { name: 'thread' });
  });

  it('is an offer for named accounts alone, and a wait for the others', () => {
    const offeredTo = { accounts: [ME], until: 'hour' };
    const offered = task({ offeredTo, next: [step('tasks.claim', ME, 'hour')] });
    assert.deepEqual(nowOf(offered, ME), { name: 'claimOffered', until: 'hour' });
    assert.deepEqual(nowOf(offered, 'key:x'), { name: 'keptForOthers', until: 'hour' });
  });

  it('is an answer where the other side proposes to change the terms', () => {
    const call = (word: string) => ({
      ...step('tasks.amend', ME),
      call: { method: 'POST' as const, path: '/', body: { by: ME, [word]: 'id' } },
    });
    const seen = (word: string) =>
      task({
        state: 'held',
        workers: [attempt('claimed')],
        amendments: [{ next: [call(word)] }] as unknown as NonNullable<Task['amendments']>,
      });
    assert.deepEqual(nowOf(seen('accept'), ME), { name: 'answer' });
    assert.deepEqual(nowOf(seen('withdraw'), ME), { name: 'deliver', until: 'lease' });
  });

  it('leads a worker from the claim to the receipt', () => {
    const workers = [attempt('claimed')];
    const held = task({ state: 'held', workers });
    assert.deepEqual(nowOf(held, ME), { name: 'deliver', until: 'lease' });
    const waits = task({ state: 'delivered', workers: [attempt('waiting')], next: [accept] });
    assert.deepEqual(nowOf(waits, ME), { name: 'waitRequester', until: 'silence' });
    const judged = { ...waits, verification: 'validator' as const };
    assert.deepEqual(nowOf(judged, ME), { name: 'waitPanel' });
    const accepted = task({ state: 'accepted', workers: [attempt('accepted')], next: [] });
    assert.deepEqual(nowOf(accepted, ME, 'then'), { name: 'waitWindow', until: 'then' });
    assert.deepEqual(nowOf({ ...accepted, state: 'disputed' }, ME), { name: 'disputed' });
    assert.deepEqual(nowOf({ ...accepted, state: 'paid' }, ME), { name: 'gotPaid' });
    assert.deepEqual(nowOf(task({ workers: [attempt('refused')] }), ME), { name: 'again' });
    const over = task({ state: 'withdrawn', workers: [attempt('waiting')], next: [] });
    assert.deepEqual(nowOf(over, ME), { name: 'done' });
  });

  it('leads a requester from the publication to the payout', () => {
    const own = (over: Partial<Parameters<typeof nowOf>[0]>) => task({ requester: ME, ...over });
    assert.deepEqual(nowOf(own({}), ME), { name: 'waitWorker', until: 'deadline' });
    const plans = [step('tasks.pitch')];
    assert.deepEqual(nowOf(own({ next: plans }), ME), { name: 'waitPlans', until: 'deadline' });
    const choice = [...plans, step('tasks.choose', ME)];
    assert.deepEqual(nowOf(own({ next: choice }), ME), { name: 'choose' });
    const held = own({ state: 'held', next: [step('tasks.submit', 'key:w', 'lease')] });
    assert.deepEqual(nowOf(held, ME), { name: 'waitResult', until: 'lease' });
    const delivered = own({ state: 'delivered', next: [accept] });
    assert.deepEqual(nowOf(delivered, ME), { name: 'decide', until: 'silence' });
    assert.deepEqual(nowOf({ ...delivered, verification: 'validator' }, ME), {
      name: 'panelDecides',
    });
    assert.deepEqual(nowOf(own({ state: 'accepted' }), ME, 'then'), {
      name: 'window',
      until: 'then',
    });
    assert.deepEqual(nowOf(own({ state: 'paid' }), ME), { name: 'paidOut' });
    assert.deepEqual(nowOf(own({ state: 'expired' }), ME), { name: 'returned' });
  });

  it('shows an arbiter its task, and a reader how the dispute stands', () => {
    const disputed = task({ state: 'disputed', next: [step('tasks.arbitrate', ME)] });
    assert.deepEqual(nowOf(disputed, ME), { name: 'arbiter' });
    assert.deepEqual(nowOf(disputed, undefined), { name: 'disputed' });
    const history = [{ seq: 1, at: '', event: 'dispute.ruled', state: 'paid' as const }];
    const ruled = task({ state: 'paid', requester: ME, next: [], history });
    assert.deepEqual(nowOf(ruled, ME), { name: 'ruled' });
    assert.deepEqual(nowOf(task({ state: 'paid', next: [] }), 'key:x'), { name: 'done' });
  });
});
