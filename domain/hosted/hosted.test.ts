import assert from 'node:assert/strict';
import { CALLS_A_MINUTE, CALLS_A_MINUTE_PER_CALLER, CALLS_AT_ONCE, openPace } from './pace.ts';
import { strippedResult } from './result.ts';
import { compareTools, toolsFault } from './tools.ts';

describe('the pace of a hosted agent', () => {
  it('holds one caller to its own share, and gives it back by the minute', () => {
    const pace = openPace();
    const enter = (caller: string, now: number): boolean => {
      const place = pace.enter('agent', caller, now);
      if ('leave' in place) place.leave();
      return 'leave' in place;
    };
    for (let n = 0; n < CALLS_A_MINUTE_PER_CALLER; n += 1) assert.ok(enter('a', 0));
    assert.equal(enter('a', 59_999), false);
    assert.equal(enter('b', 59_999), true);
    assert.equal(enter('a', 60_000), true);
  });

  it('counts nothing where rate limits are off', () => {
    const pace = openPace(false);
    for (let n = 0; n <= CALLS_A_MINUTE; n += 1) {
      const place = pace.enter('agent', 'a', 0);
      assert.ok('leave' in place, String(n));
      place.leave();
    }
  });

  it('limits the calls to one agent under way at once, over all callers, counted or not', () => {
    const pace = openPace(false);
    const places = Array.from({ length: CALLS_AT_ONCE }, (_, n) => pace.enter('x', `${n}`, 0));
    assert.ok('full' in pace.enter('x', 'late', 0));
    assert.ok('leave' in pace.enter('y', 'late', 0));
    const [first] = places;
    if (first !== undefined && 'leave' in first) first.leave();
    assert.ok('leave' in pace.enter('x', 'late', 0));
  });
});

describe('tools on offer', () => {
  const offered = [
    {
      name: 'convert',
      description: 'Converts.',
      inputSchema: { type: 'object', required: ['from'] },
      descriptorHash: 'x',
    },
  ];

  it('take the schema of the endpoint, and report where theirs asks for less', () => {
    const [bare] = compareTools([{ name: 'convert', description: 'Mine.' }], offered);
    assert.deepEqual(bare?.offer?.inputSchema, offered[0]?.inputSchema);
    const own = { name: 'convert', description: 'Mine.', inputSchema: { type: 'object' } };
    const [less] = compareTools([own], offered);
    assert.deepEqual([less?.outcome, less?.says.includes('from')], ['differs', true]);
  });

  it('name what was nearly meant when the endpoint has no such tool', () => {
    const [wrong] = compareTools([{ name: 'Con-Vert', description: 'Mine.' }], offered);
    assert.deepEqual([wrong?.outcome, wrong?.mend], ['failed', 'Did you mean convert?']);
  });

  it('have names of their own and schemas of objects', () => {
    const tool = { name: 'a', description: 'A.' };
    assert.equal(toolsFault([tool]), undefined);
    assert.match(toolsFault([tool, tool])?.says ?? '', /Two tools/);
    const deep = { type: 'object', properties: { a: { items: { properties: { b: 'x' } } } } };
    for (const inputSchema of [
      {},
      { type: 'object', required: 'x' },
      { type: 'object', properties: { a: { type: 'strin' } } },
      { type: 'object', properties: { a: { type: [], items: 3 } } },
      deep,
    ]) {
      assert.match(toolsFault([{ ...tool, inputSchema }])?.says ?? '', /inputSchema of a/);
    }
    assert.match(toolsFault([{ name: 'b', description: '\u200b' }])?.says ?? '', /no character/);
  });
});

describe('an answer that goes out under the hub', () => {
  it('keeps content and structure, and nothing that acts', () => {
    const link = (uri: string) => ({ type: 'resource_link', uri, name: 'x' });
    const stripped = strippedResult({
      content: [
        { type: 'text', text: 'a', extra: 1 },
        link('https://x.example/'),
        link(' JavaScript:1'),
      ],
      structuredContent: { a: 1 },
      isError: true,
      _meta: { a: 1 },
    });
    assert.deepEqual(stripped, {
      content: [{ type: 'text', text: 'a' }, link('https://x.example/')],
      structuredContent: { a: 1 },
      isError: true,
    });
    assert.deepEqual(strippedResult('text'), { content: [] });
  });
});
