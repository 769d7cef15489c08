import assert from 'node:assert/strict';
import { cursorText, EVENTS_NOW, EVENTS_START, parseCursor } from './eventCursor.ts';
import type { NetworkId } from './network.ts';

describe('a cursor of events', () => {
  for (const text of ['0', '12', '12.40@sandbox', '12.3@base.40@sandbox', '0.1@base-sepolia']) {
    it(`${text} is read and written alike`, () => {
      const cursor = parseCursor(text);
      assert.ok(cursor !== undefined);
      assert.equal(cursorText(cursor), text);
    });
  }

  for (const text of [
    '',
    'x',
    '1.',
    '1.2',
    '1.2@',
    '1.@base',
    '1.2@Base',
    '1.2@base@x',
    '1.2@base!',
    `1.2@b${'a'.repeat(32)}`,
    '-1',
    '1e3',
  ]) {
    it(`${JSON.stringify(text)} is none`, () => assert.equal(parseCursor(text), undefined));
  }

  it('leaves out books that nothing was read of', () => {
    const money = new Map([...(parseCursor('1.0@base.2@play')?.money ?? [])]);
    assert.equal(cursorText({ events: 1, money }), '1.2@play');
  });

  it('writes the books in one order, and begins with nothing', () => {
    const books = [['play', 2] as const, ['base', 1] as const, ['sandbox', 3] as const];
    for (const money of [books, books.toReversed()]) {
      const cursor = { events: 4, money: new Map<NetworkId, number>(money) };
      assert.equal(cursorText(cursor), '4.1@base.2@play.3@sandbox');
    }
    assert.deepEqual([cursorText(EVENTS_START), EVENTS_NOW], ['0', 'now']);
  });
});
