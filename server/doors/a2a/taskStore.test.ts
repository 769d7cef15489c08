import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHub, type TestHub } from '../../../conformance/harness/hub.ts';
import { keyAccount, keyIdOf } from '../../../domain/account.ts';
import { isObject } from '../../../domain/jsonObject.ts';
import type { State, Task } from './shapes.ts';
import { openTaskStore, type TaskStore } from './taskStore.ts';

const account = (byte: number) => keyAccount(keyIdOf(new Uint8Array(32).fill(byte)));
const ANN = account(1);
const BEN = account(2);
const { signal: STAYING } = new AbortController();

const idsOf = (tasks: readonly Task[]): string => tasks.map(({ id }) => id).join(' ');

describe('the tasks that the A2A door keeps', () => {
  let hub: TestHub;
  beforeEach(async () => {
    hub = await startHub();
  });
  afterEach(() => hub.close());

  const open = (
    limits: { readonly tasks?: number; readonly characters?: number } = {},
  ): TaskStore => openTaskStore(hub.running.hub, { tasks: 100, characters: 10_000, ...limits });
  const task = (id: string, state: State = 'completed', size = 0): Task => {
    const at = hub.clock.now();
    const thread = { id, contextId: 'c', skill: 's', requestId: 'r', at, state };
    if (state === 'working') return thread;
    return { ...thread, result: { value: 'x'.repeat(size), asText: false } };
  };
  /** A call under way in the process of a store. */
  const begin = async (store: TaskStore, id: string) => {
    let end: (state: State) => void = () => undefined;
    const ended = new Promise<Task>((resolve) => {
      end = (state) => resolve(task(id, state));
    });
    await store.open(ANN, task(id, 'working'), { ended, cancel: () => end('canceled') });
    return {
      async finish(state: State = 'completed') {
        end(state);
        await store.ended(ANN, id, STAYING);
      },
    };
  };

  it('are the newest of an account, whatever others do', async () => {
    const store = open({ tasks: 2 });
    await store.keep(BEN, task('b'));
    for (const id of ['a1', 'a2', 'a3']) await store.keep(ANN, task(id));
    assert.equal(idsOf(await store.list(ANN)), 'a3 a2');
    assert.equal(idsOf(await store.list(BEN)), 'b');
    assert.equal(await store.find(ANN, 'a1'), undefined);
    assert.equal(await store.find(ANN, 'b'), undefined);
  });

  it('have the answer as it was given, with every digit of its numbers', async () => {
    const store = open();
    const { hub: own } = hub.running;
    const result = { value: { text: 'a\u0000\ud800', list: [1, null] }, asText: true };
    await store.keep(ANN, { ...task('a'), result });
    assert.deepEqual((await store.find(ANN, 'a'))?.result, result);
    const refused = { ...task('b', 'rejected'), result: undefined, refusal: result };
    const { result: _, ...refusal } = refused;
    await openTaskStore(own).keep(ANN, refusal);
    assert.deepEqual(await store.find(ANN, 'b'), refusal);
  });

  it('are never dropped for newer ones before their answer was read', async () => {
    const store = open({ tasks: 2 });
    assert.equal(await store.hasRoom(ANN), true);
    for (const id of ['1', '2']) await (await begin(store, id)).finish();
    assert.equal(await store.hasRoom(ANN), false);
    for (const id of ['a', 'b', 'c']) await store.keep(ANN, task(id));
    assert.equal(idsOf(await store.list(ANN)), '2 1');
    await store.read(BEN, ['1']);
    assert.equal(await store.hasRoom(ANN), false);
    await store.read(ANN, ['1']);
    assert.equal(await store.hasRoom(ANN), true);
    await store.keep(ANN, task('d'));
    assert.equal(idsOf(await store.list(ANN)), 'd 2');
  });

  it('are bounded in size, and an answer that is too long is not stored', async () => {
    const store = open({ characters: 1_000 });
    for (const id of ['1', '2', '3']) await store.keep(ANN, task(id, 'completed', 400));
    assert.equal(idsOf(await store.list(ANN)), '3 2');
    await openTaskStore(hub.running.hub).keep(ANN, task('4', 'completed', 1_048_577));
    const { result } = (await store.find(ANN, '4')) ?? {};
    assert.match(String(result?.value), /^The answer of 10486\d\d characters was given once/);
  });

  it('are forgotten after an hour, and their rows with them', async () => {
    const store = open();
    await store.keep(ANN, task('1'));
    hub.clock.advance(3_600);
    assert.equal(idsOf(await store.list(ANN)), '1');
    hub.clock.advance(1);
    assert.equal(await store.find(ANN, '1'), undefined);
    assert.equal(idsOf(await store.list(ANN)), '');
    await hub.runJob('housekeeping');
    const rows = await hub.running.hub.store.read(({ knex }) => knex('a2a_tasks').select('id'));
    assert.deepEqual(rows, []);
  });

  it('stay while they work, and come first at their end', async () => {
    const store = open({ tasks: 2 });
    const call = await begin(store, 'w');
    for (const id of ['1', '2', '3']) await store.keep(ANN, task(id));
    hub.clock.advance(5_000);
    assert.equal(idsOf(await store.list(ANN)), 'w');
    await store.keep(ANN, task('4'));
    await call.finish();
    assert.equal(idsOf(await store.list(ANN)), 'w 4');
  });

  it('are followed and taken back at another process than the one that runs them', async () => {
    const [here, there] = [open(), open()];
    const followed = await begin(here, 'f');
    const end = there.ended(ANN, 'f', STAYING);
    await followed.finish();
    assert.equal((await end)?.state, 'completed');
    await begin(here, 'c');
    assert.equal((await there.find(ANN, 'c'))?.state, 'working');
    const cancelled = there.ended(ANN, 'c', STAYING);
    there.cancel('c');
    assert.equal((await cancelled)?.state, 'canceled');
    assert.equal(await there.ended(BEN, 'c', STAYING), undefined);
  });

  it('are followed no longer than their caller stays', async () => {
    const store = open();
    const call = await begin(store, 'w');
    const leaving = new AbortController();
    const end = store.ended(ANN, 'w', leaving.signal);
    await sleep(20);
    leaving.abort();
    assert.equal(await end, undefined);
    await call.finish();
  });

  it('have failed once the process that ran them is gone for a minute', async () => {
    await begin(open(), 'w');
    const other = open();
    hub.clock.advance(60);
    assert.equal((await other.find(ANN, 'w'))?.state, 'working');
    hub.clock.advance(1);
    const { state, refusal } = (await other.find(ANN, 'w')) ?? {};
    assert.equal(state, 'failed');
    assert.ok(isObject(refusal?.value));
    assert.equal(refusal.value['code'], 'busy');
    assert.match(String(refusal.value['hint']), /^Read by GET \/api\/v1\/me/);
  });
});
