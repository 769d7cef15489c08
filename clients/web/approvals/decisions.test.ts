import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { openDocument } from '../fixture/dom.ts';
import { decideLater, decisionOf, failureOf, undo, UNDO_MS } from './decisions.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a decision about a call', () => {
  let close: () => void;
  before(() => {
    close = openDocument();
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  });
  after(() => {
    mock.timers.reset();
    close();
  });

  const press = (id: string, answer: () => Promise<void> = async () => {}) => {
    const sent: string[] = [];
    decideLater(id, 'approved', () => {
      sent.push(id);
      return answer();
    });
    return sent;
  };

  it('is sent once five seconds have passed, and not before', async () => {
    const sent = press('one');
    mock.timers.tick(UNDO_MS - 1);
    assert.deepEqual(sent, []);
    assert.equal(decisionOf('one')?.how, 'approved');
    mock.timers.tick(1);
    assert.deepEqual(sent, ['one']);
    assert.equal(undo('one'), false, 'it is on its way');
    await settled();
    assert.equal(decisionOf('one'), undefined);
  });

  it('is never sent after it was undone', () => {
    const sent = press('two');
    mock.timers.tick(UNDO_MS - 1);
    assert.equal(undo('two'), true);
    mock.timers.tick(UNDO_MS * 2);
    assert.deepEqual(sent, []);
    assert.equal(decisionOf('two'), undefined);
    assert.equal(undo('two'), false);
  });

  it('counts once when it is pressed twice', () => {
    const sent = [press('three'), press('three')];
    mock.timers.tick(UNDO_MS);
    assert.deepEqual(sent, [['three'], []]);
  });

  it('can be pressed again after it failed, which forgets the failure', async () => {
    press('four', () => Promise.reject(new Error('decided meanwhile')));
    mock.timers.tick(UNDO_MS);
    await settled();
    assert.match(String(failureOf('four')), /decided meanwhile/);
    assert.equal(decisionOf('four'), undefined);
    press('four');
    assert.equal(failureOf('four'), undefined);
    mock.timers.tick(UNDO_MS);
    await settled();
  });
});
