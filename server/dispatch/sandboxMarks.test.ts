import assert from 'node:assert/strict';
import { withMarks, NO_AGENTS } from './sandboxMarks.ts';

const agents = new Set(['key:agent']);
const attempt = { worker: 'key:agent', termsDigest: 'd' };
const task = { requesterKind: 'agent', requester: 'key:agent', input: { ...attempt } };

describe('marks of sandbox agents', () => {
  it('stand in the objects that are about one, however deep', () => {
    const workers = [attempt, { ...attempt, worker: 'key:other' }];
    assert.deepEqual(withMarks('tasks.get', { body: { ...task, workers } }, agents).body, {
      ...task,
      workers: [{ ...attempt, sandboxAgent: true }, workers[1]],
      sandboxAgent: true,
    });
  });

  it('stand on a market that one created, and not on one that it only resolved', () => {
    const market = { settledBy: 'judge', creator: 'key:agent' };
    const other = { ...market, creator: 'key:other', resolvedBy: 'key:agent' };
    const body = { markets: [market, other] };
    assert.deepEqual(withMarks('predictions.list', { body }, agents).body, {
      markets: [{ ...market, sandboxAgent: true }, other],
    });
  });

  it('never reach into text of another account', () => {
    const { input } = withMarks('tasks.get', { body: task }, agents).body as {
      readonly input: unknown;
    };
    assert.deepEqual(input, attempt);
  });

  it('leave other areas alone, and everything where no account is scripted', () => {
    assert.equal(withMarks('discovery.index', { body: task }, agents).body, task);
    assert.equal(withMarks('tasks.get', { body: task }, NO_AGENTS).body, task);
  });
});
