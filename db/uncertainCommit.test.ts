import { strict as assert } from 'node:assert';
import { confirmed, UncertainCommit } from './uncertainCommit.ts';

describe('confirmed', () => {
  it('returns the command that the server ran', async () => {
    assert.equal(await confirmed(Promise.resolve('COMMIT')), 'COMMIT');
  });

  it('throws what the database refused a COMMIT for', async () => {
    const refused = Object.assign(new Error('could not serialize'), { code: '40001' });
    await assert.rejects(confirmed(Promise.reject(refused)), refused);
  });

  it('throws UncertainCommit when the connection broke', async () => {
    for (const code of ['57P01', 'ECONNRESET']) {
      const broken = Object.assign(new Error('terminated'), { code });
      await assert.rejects(confirmed(Promise.reject(broken)), UncertainCommit);
    }
  });

  it('throws UncertainCommit after its time, and says when the connection is free', async () => {
    let end = (_: string): void => undefined;
    const commit = new Promise<string>((resolve) => (end = resolve));
    const error = await confirmed(commit, 1).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof UncertainCommit);
    let isOver = false;
    void error.over.then(() => (isOver = true));
    await new Promise(setImmediate);
    assert.equal(isOver, false);
    end('COMMIT');
    await error.over;
    assert.equal(isOver, true);
  });
});
