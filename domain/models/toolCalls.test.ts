import assert from 'node:assert/strict';
import type { JsonObject } from '../jsonObject.ts';
import { textsOf, ToolCalls } from './toolCalls.ts';

const made = (name: string | undefined, given: unknown): JsonObject => ({
  function: { ...(name !== undefined && { name }), arguments: given },
});

/** The calls that a client puts together: by index, with the id of the first piece. */
function readBy(chunks: readonly (readonly JsonObject[])[]): readonly (readonly unknown[])[] {
  const calls = new ToolCalls();
  const read: { id: unknown; type: unknown; name: string; given: string }[] = [];
  for (const piece of chunks.flatMap((chunk) => calls.piecesOf(chunk))) {
    const { index, id, type, function: part } = piece;
    const call = (read[index] ??= { id, type, name: '', given: '' });
    call.name += typeof part?.['name'] === 'string' ? part['name'] : '';
    call.given += String(part?.['arguments']);
  }
  return read.map(({ id, type, name, given }) => [id, type, name, given]);
}

describe('pieces of tool calls', () => {
  const whole = [
    ['a', 'function', 'look', '{"x":1}'],
    ['b', 'function', 'hear', '{"y":2}'],
  ];
  const hasOwnIds = (what: string): boolean => !/same id|no id|without ids/.test(what);
  const first = { id: 'a', type: 'function', ...made('look', '{"x"') };
  const second = { id: 'b', type: 'function', ...made('hear', '{"y"') };
  const forms: Readonly<Record<string, readonly (readonly JsonObject[])[]>> = {
    'with an index each': [
      [{ index: 0, ...first }],
      [{ index: 0, ...made(undefined, ':1}') }],
      [{ index: 1, ...second }],
      [{ index: 1, ...made(undefined, ':2}') }],
    ],
    'with an index each, interleaved': [
      [
        { index: 0, ...first },
        { index: 1, ...second },
      ],
      [
        { index: 0, ...made(undefined, ':1}') },
        { index: 1, ...made(undefined, ':2}') },
      ],
    ],
    'with the ids in every piece and no index': [
      [first, second],
      [
        { id: 'a', ...made('look', ':1}') },
        { id: 'b', ...made('', ':2}') },
      ],
    ],
    'without an index, one after the other': [
      [first],
      [made(undefined, ':1}')],
      [second],
      [made(undefined, ':2}')],
    ],
    'with a null index': [
      [{ ...first, index: null }],
      [{ index: null, id: null, ...made(null as never, ':1}') }],
      [{ ...second, index: null }],
      [{ index: null, ...made(undefined, ':2}') }],
    ],
    'with index 0 for both': [
      [{ index: 0, id: 'a', ...made('look', '{"x":1}') }],
      [{ index: 0, id: 'b', ...made('hear', '{"y":2}') }],
    ],
    'with index 0 and the same id for both': [
      [{ index: 0, id: 'a', ...made('look', '{"x":1}') }],
      [{ index: 0, id: 'a', ...made('hear', '{"y":2}') }],
    ],
    'with an index each and no id but the word null': [
      [
        { index: 0, id: 'null', ...made('look', { x: 1 }) },
        { index: 1, id: 'null', ...made('hear', { y: 2 }) },
      ],
    ],
    'without ids at index 0, whole': [
      [{ index: 0, ...made('look', '{"x":1}') }],
      [{ index: 0, ...made('hear', '{"y":2}') }],
    ],
    'without ids at index 0, in one chunk': [
      [
        { index: 0, ...made('look', '{"x":1}') },
        { index: 0, ...made('hear', '{"y":2}') },
      ],
    ],
    'without ids at index 0, in pieces with a name each': [
      [{ index: 0, ...made('look', '') }],
      [{ index: 0, ...made('look', '{"x"') }],
      [{ index: 0, ...made('look', ':1}') }],
      [{ index: 0, ...made('hear', '') }],
      [{ index: 0, ...made(undefined, '{"y":2}') }],
    ],
    'with a new id at index 0 before the name': [
      [{ index: 0, id: 'a', ...made('look', '{"x":1}') }],
      [{ index: 0, id: 'b', ...made(undefined, '') }],
      [{ index: 0, ...made('hear', '{"y":2}') }],
    ],
    'with arguments as an object': [
      [{ id: 'a', ...made('look', { x: 1 }) }],
      [{ id: 'b', ...made('hear', { y: 2 }) }],
    ],
  };
  for (const [what, chunks] of Object.entries(forms)) {
    it(`${what} are the calls that were made`, () => {
      const read = readBy(chunks);
      if (hasOwnIds(what)) assert.deepEqual(read, whole);
      const [ids, names] = [read.map(([id]) => id), read.map(([, ...rest]) => rest)];
      assert.deepEqual(
        names,
        whole.map(([, ...rest]) => rest),
      );
      assert.equal(new Set(ids).size, 2);
      assert.ok(ids.every((id) => typeof id === 'string' && id !== '' && id !== 'null'));
    });
  }

  it('get an id where they have none, and are distinguished by place or by whole arguments', () => {
    const calls = [
      ['call_0', 'function', 'look', '{}'],
      ['call_1', 'function', 'look', '{}'],
    ];
    assert.deepEqual(readBy([[made('look', '{}'), made('look', '{}')]]), calls);
    assert.deepEqual(readBy([[made('look', '{}')], [made('look', '{}')]]), calls);
    assert.deepEqual(readBy([[made('look', '{')], [made('look', '}')]]), calls.slice(0, 1));
  });

  it('are two for one function where the arguments of the first are whole', () => {
    const twice = (id: string | undefined): readonly (readonly JsonObject[])[] =>
      ['{"x":1}', '{"x":2}'].map((given) => [
        { index: 0, ...(id && { id }), ...made('look', given) },
      ]);
    for (const id of [undefined, 'null', 'same']) {
      const read = readBy(twice(id)).map(([, , name, given]) => [name, given]);
      assert.deepEqual(read, [
        ['look', '{"x":1}'],
        ['look', '{"x":2}'],
      ]);
    }
  });

  it('keep an id that changes within one call, and members that the desk does not know', () => {
    const pieces = [
      [{ index: 3, id: 'a', extra: { sign: 's' }, ...made('look', '{"x"') }],
      [{ index: 3, id: 'other', ...made(undefined, ':1}') }],
    ];
    assert.deepEqual(readBy(pieces), whole.slice(0, 1));
    const [piece] = new ToolCalls().piecesOf(pieces[0] ?? []);
    assert.deepEqual([piece?.index, piece?.['extra']], [0, { sign: 's' }]);
  });

  it('are those of a custom tool, whose input is text', () => {
    const calls = new ToolCalls();
    const pieces = [
      { index: 0, id: 'a', type: 'custom', custom: { name: 'sh', input: '' } },
      { index: 0, custom: { name: null, input: 'ls' } },
    ].flatMap((piece) => calls.piecesOf([piece]));
    assert.deepEqual(pieces, [
      { index: 0, id: 'a', type: 'custom', custom: { name: 'sh', input: '' } },
      { index: 0, custom: { input: 'ls' } },
    ]);
    assert.deepEqual(pieces.flatMap(textsOf).filter(Boolean), ['sh', 'ls']);
  });
});
