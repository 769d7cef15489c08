import assert from 'node:assert/strict';
import { touchedIds } from './touchedIds.ts';

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

describe('the ids that a line of the log has', () => {
  const of = (method: string, path: Record<string, string>, body: string, status = 200) =>
    touchedIds({ method, path }, { status, body });

  it('are those of the path, and those that a write answered', () => {
    assert.deepEqual(of('POST', { id: id(1) }, JSON.stringify({ transferId: id(2) })), [
      id(1),
      id(2),
    ]);
    assert.deepEqual(of('GET', { id: id(1) }, JSON.stringify({ transferId: id(2) })), [id(1)]);
    assert.equal(of('GET', {}, '{}'), undefined);
  });

  it('are no texts, no accounts and no names, wherever they stand', () => {
    const texts = { id: 'a secret', account: 'key:9GzR', name: '../../etc' };
    assert.equal(of('POST', texts, JSON.stringify({ id: 'a text', memo: id(1) })), undefined);
    assert.equal(of('POST', {}, JSON.stringify({ note: `"id":"${id(1)}"` })), undefined);
  });

  it('are none of a refusal, at most six, and of the beginning of a long answer', () => {
    assert.equal(of('POST', {}, JSON.stringify({ id: id(1) }), 404), undefined);
    const many = Array.from({ length: 500 }, (_, n) => ({ id: id(n) }));
    assert.equal(of('POST', {}, JSON.stringify(many))?.length, 6);
    assert.equal(of('POST', {}, `${' '.repeat(5_000)}{"id":"${id(1)}"}`), undefined);
    assert.deepEqual(
      touchedIds(
        { method: 'POST', path: {} },
        { status: 201, body: Buffer.from(`{"id":"${id(3)}"}`) },
      ),
      [id(3)],
    );
  });
});
