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
    ];
    for (const [kind, result] of empty)
      assert.ok(saysNothing(kind, result), JSON.stringify(result));
    const full: readonly (readonly ['mcp' | 'a2a', unknown])[] = [
      ['mcp', { content: [{ type: 'text', text: '' }] }],
      ['mcp', { content: [], structuredContent: null }],
      ['a2a', { message: { parts: [{ text: 'Hi.' }] } }],
      ['a2a', { task: { status: { state: 'TASK_STATE_WORKING' } } }],
      ['a2a', { status: { state: 'completed' }, artifacts: [{}] }],
      ['a2a', { status: { state: 'completed', message: { parts: [] } } }],
      ['a2a', { tasks: [] }],
    ];
    for (const [kind, result] of full)
      assert.ok(!saysNothing(kind, result), JSON.stringify(result));
  });

  it('repeats what the agent said of its failure, on one line', () => {
    const said = { content: [{ type: 'text', text: 'No\u202esuch\ncurrency' }] };
    assert.equal(failureSays(said), 'It says that it failed: Nosuch currency');
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
