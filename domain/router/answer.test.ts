import assert from 'node:assert/strict';
import { failureSays, saysNothing, tooDeep } from './answer.ts';

describe('router answers', () => {
  it('knows an answer that says nothing', () => {
    const empty: readonly (readonly ['mcp' | 'a2a', unknown])[] = [
      ['mcp', { content: [] }],
      ['mcp', {}],
      ['a2a', {}],
      ['a2a', { message: { parts: [] } }],
      ['a2a', { kind: 'message', parts: [] }],
      ['a2a', { task: { status: { state: 'TASK_STATE_COMPLETED' } } }],
      ['a2a', { task: { status: { state: 'completed' }, artifacts: [] } }],
      ['a2a', null],
      ['mcp', { content: [], structuredContent: null }],
      ['mcp', { content: [], structuredContent: {} }],
      ['mcp', { content: [null, ''], structuredContent: {} }],
      ['mcp', { content: [{ type: 'text', text: '' }] }],
      ['mcp', { content: [{ type: 'text' }, { type: 'text', text: null }] }],
      ['mcp', { content: [{ type: 'text', text: ' \t\r\n', annotations: { priority: 1 } }] }],
      ['mcp', { content: [{ type: 'image', mimeType: 'image/png', data: '' }] }],
      ['mcp', { content: [{ type: 'resource', resource: { uri: 'a://b', text: ' ' } }] }],
      ['mcp', { contents: [{ uri: 'a://b', mimeType: 'text/plain', text: ' ' }] }],
      ['mcp', { messages: [{ role: 'user', content: { type: 'text', text: '' } }] }],
      ['a2a', { message: { parts: [{ kind: 'text', text: '\u200b' }] } }],
      ['a2a', { parts: [{ data: {} }, { text: '', mediaType: 'text/plain' }] }],
      ['a2a', { parts: [{ kind: 'file', file: { name: 'a', mimeType: 'text/csv', bytes: '' } }] }],
      ['a2a', { status: { state: 'completed' }, artifacts: [{}] }],
      ['a2a', { status: { state: 'completed' }, artifacts: [{ parts: [{ text: '\n' }] }] }],
      ['a2a', { status: { state: 'completed', message: { parts: [] } } }],
      ['a2a', { status: { state: 'completed', message: null }, artifacts: null }],
    ];
    for (const [kind, result] of empty)
      assert.ok(saysNothing(kind, result), JSON.stringify(result));
    const full: readonly (readonly ['mcp' | 'a2a', unknown])[] = [
      ['mcp', { content: [], structuredContent: { results: [] } }],
      ['mcp', { content: [{ type: 'text', text: '' }], structuredContent: { found: null } }],
      [
        'mcp',
        {
          content: [
            { type: 'text', text: '' },
            { type: 'text', text: '0' },
          ],
        },
      ],
      ['mcp', { content: [{ type: 'text', text: '[]' }], structuredContent: {} }],
      ['mcp', { content: [{ type: 'resource_link', uri: 'a://b', name: 'b' }] }],
      ['mcp', { content: [{ type: 'resource', resource: { uri: 'a://b', blob: 'AA==' } }] }],
      ['mcp', { contents: [{ uri: 'a://b', blob: 'AA==' }] }],
      ['mcp', { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }] }],
      ['a2a', { message: { parts: [{ text: 'Hi.' }] } }],
      ['a2a', { parts: [{ data: { results: [] } }] }],
      ['a2a', { parts: [{ kind: 'file', file: { uri: 'https://a.example/b' } }] }],
      ['a2a', { parts: [{ raw: 'AA==', filename: 'a' }] }],
      ['a2a', { task: { status: { state: 'TASK_STATE_WORKING' } } }],
      ['a2a', { status: { state: 'completed' }, artifacts: [{ parts: [{ text: 'x' }] }] }],
      ['a2a', { status: { state: 'completed', message: { parts: [{ text: 'x' }] } } }],
      ['a2a', { tasks: [] }],
    ];
    for (const [kind, result] of full)
      assert.ok(!saysNothing(kind, result), JSON.stringify(result));
  });

  it('sees nothing in blanks and in characters that are not shown', () => {
    const says = (text: string): boolean => !saysNothing('mcp', { content: [{ text }] });
    const codes = [
      ...[0x00, 0x09, 0x20, 0x7f, 0x85, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b, 0x200d],
      ...[0x2003, 0x2028, 0x202e, 0x2060, 0x2800, 0x3000, 0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xfffa],
      ...[0xd800, 0xe0020, 0xe0100],
    ];
    for (const code of codes) {
      const text = String.fromCodePoint(code);
      assert.ok(!says(text.repeat(3)), code.toString(16));
      assert.ok(says(`${text}.`), code.toString(16));
    }
    for (const text of ['0', '-', '\u0301', '\ufffd', '\ue000', '\u{1f600}']) assert.ok(says(text));
  });

  it('repeats what the agent said of its failure, on one line', () => {
    const answer = { content: [{ type: 'text', text: 'No\u202esuch\ncurrency' }] };
    assert.equal(failureSays(answer), 'It says that it failed: Nosuch currency');
    const task = { task: { status: { message: { parts: [{ text: 'Out of ink' }] } } } };
    assert.equal(failureSays(task), 'It says that it failed: Out of ink');
    for (const silent of [null, {}, { task: {} }, { status: { message: {} } }, { content: [] }]) {
      assert.equal(failureSays(silent), 'It says that it failed.');
    }
    const long = { content: [{ text: 'x'.repeat(201) }] };
    assert.equal(failureSays(long), `It says that it failed: ${'x'.repeat(200)}`);
  });

  it('measures depth without following it to the end', () => {
    let deep: unknown = 1;
    for (let n = 0; n < 100_000; n += 1) deep = [deep];
    assert.ok(tooDeep(deep));
    assert.ok(!tooDeep({ a: [{ b: 1 }] }));
    const nested = (levels: number): unknown =>
      JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    assert.deepEqual([tooDeep(nested(64)), tooDeep(nested(65))], [false, true]);
  });
});
