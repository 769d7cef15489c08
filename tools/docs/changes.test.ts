import assert from 'node:assert/strict';
import type { Document } from '../generate/document.ts';
import { changesBetween, changesSection } from './changes.ts';

function contract(version: string, ...ids: readonly string[]): Document {
  const paths = Object.fromEntries(
    ids.map((operationId, nth) => [`/${nth}`, { get: { operationId } }]),
  );
  return { info: { version, title: 'x' }, paths } as unknown as Document;
}

describe('changes of the contract', () => {
  it('are the operations that came and went, in order', () => {
    const [before, after] = [contract('1.0.0', 'c', 'a'), contract('1.1.0', 'a', 'z', 'b')];
    assert.deepEqual(changesBetween(before, after), { added: ['b', 'z'], removed: ['c'] });
    assert.deepEqual(changesBetween(after, after), { added: [], removed: [] });
  });

  it('name both versions, link to what was added, and say when nothing was', () => {
    const { html } = changesSection(contract('1.0.0', 'gone'), contract('1.1.0', 'tasks.new'));
    assert.match(html, /version 1\.1\.0; the last release is 1\.0\.0/);
    assert.match(html, /<a href="#tasks\.new">/);
    assert.ok(html.includes('<code>gone</code>') && !html.includes('#gone'));
    const same = contract('1.0.0', 'a');
    assert.match(changesSection(same, same).html, /No operation was added or removed/);
  });
});
