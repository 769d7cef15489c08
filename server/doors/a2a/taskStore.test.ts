import assert from 'node:assert/strict';
import { keyAccount, keyIdOf } from '../../../domain/account.ts';
import { instant } from '../../../domain/instant.ts';
import type { State, Task } from './shapes.ts';
import { openTaskStore, type TaskLimits } from './taskStore.ts';

const account = (byte: number) => keyAccount(keyIdOf(new Uint8Array(32).fill(byte)));
const ANN = account(1);
const BEN = account(2);
const ROOMY: TaskLimits = { perAccount: 100, tasks: 100, characters: 10_000, keptMs: 1_000 };

function task(id: string, state: State = 'completed', size = 0): Task {
  const result = { value: 'x'.repeat(size), asText: false };
  return { id, contextId: 'c', skill: 's', requestId: 'r', at: instant(0), state, result };
}

function open(limits: Partial<TaskLimits>) {
  const clock = { at: 0, now: () => instant(clock.at) };
  return { clock, store: openTaskStore({ clock, limits: { ...ROOMY, ...limits } }) };
}

const idsOf = (tasks: readonly Task[]): string => tasks.map(({ id }) => id).join(' ');

describe('the tasks that the A2A door keeps', () => {
  it('are the newest of an account, whatever others do', () => {
    const { store } = open({ perAccount: 2 });
    store.keep(BEN, task('b'));
    for (const id of ['a1', 'a2', 'a3']) store.keep(ANN, task(id));
    assert.equal(idsOf(store.list(ANN)), 'a3 a2');
    assert.equal(idsOf(store.list(BEN)), 'b');
    assert.equal(store.find(ANN, 'a1'), undefined);
    assert.equal(store.find(ANN, 'b'), undefined);
  });

  it('are never dropped for newer ones before their answer was read', async () => {
    const { store } = open({ perAccount: 2 });
    const end = async (id: string): Promise<void> => {
      const ended = Promise.resolve(task(id));
      store.open(ANN, task(id, 'working'), { ended, cancel: () => undefined });
      await ended;
    };
    assert.equal(store.hasRoom(ANN), true);
    for (const id of ['1', '2']) await end(id);
    assert.equal(store.hasRoom(ANN), false);
    for (const id of ['a', 'b', 'c']) store.keep(ANN, task(id));
    assert.deepEqual(
      ['1', '2'].map((id) => store.find(ANN, id)?.task.id),
      ['1', '2'],
    );
    store.read(BEN, '1');
    assert.equal(store.hasRoom(ANN), false);
    store.read(ANN, '1');
    assert.equal(store.hasRoom(ANN), true);
    store.keep(ANN, task('d'));
    assert.equal(store.find(ANN, '1'), undefined);
    assert.ok(store.find(ANN, '2'));
  });

  it('are bounded in number, the oldest of all dropped first', () => {
    const { store } = open({ tasks: 2 });
    store.keep(ANN, task('1'));
    store.keep(BEN, task('2'));
    store.keep(ANN, task('3'));
    assert.equal(idsOf([...store.list(ANN), ...store.list(BEN)]), '3 2');
  });

  it('are bounded in size', () => {
    const { store } = open({ characters: 1_000 });
    for (const id of ['1', '2', '3']) store.keep(ANN, task(id, 'completed', 400));
    assert.equal(idsOf(store.list(ANN)), '3 2');
    store.keep(ANN, task('4', 'completed', 2_000));
    assert.equal(idsOf(store.list(ANN)), '');
    store.keep(ANN, task('5', 'completed', 400));
    assert.equal(idsOf(store.list(ANN)), '5');
  });

  it('are forgotten when their time is over', () => {
    const { store, clock } = open({});
    store.keep(ANN, task('1'));
    clock.at = 1_000;
    assert.equal(idsOf(store.list(ANN)), '1');
    clock.at = 1_001;
    assert.equal(store.find(ANN, '1'), undefined);
    assert.equal(idsOf(store.list(ANN)), '');
  });

  for (const limits of [{ perAccount: 2 }, { tasks: 2 }]) {
    it(`stay while they work, and come first at their end, ${JSON.stringify(limits)}`, async () => {
      const { store, clock } = open(limits);
      let end: (task: Task) => void = () => undefined;
      const ended = new Promise<Task>((resolve) => {
        end = resolve;
      });
      store.open(ANN, task('w', 'working'), { ended, cancel: () => undefined });
      for (const id of ['1', '2', '3']) store.keep(ANN, task(id));
      assert.equal(idsOf(store.list(ANN)), '3 w');
      clock.at = 5_000;
      assert.equal(idsOf(store.list(ANN)), 'w');
      store.keep(ANN, { ...task('4'), at: instant(5_000) });
      end({ ...task('w'), at: instant(5_000) });
      await ended;
      assert.equal(idsOf(store.list(ANN)), 'w 4');
      assert.equal(store.find(ANN, 'w')?.running, undefined);
    });
  }
});
