import assert from 'node:assert/strict';
import { operationTable } from '../generated/operations.ts';
import { contractPages } from './docs/contractPages.ts';
import { placeOf, sources } from './docs/sitePages.ts';
import { tracked } from './tree.ts';

/** `npm run docs:build` fails on a link that leads nowhere; these need no build. */
describe('the documentation site', () => {
  it('lists every page of docs and of the choices', () => {
    const pages = tracked.filter(
      (path) => /^(docs|spec\/choices)\/.*\.md$/.test(path) && path !== 'docs/structure.md',
    );
    assert.ok(pages.length > 50);
    assert.deepEqual(
      pages.filter((path) => sources.get(placeOf(path)) !== path),
      [],
    );
  });

  it('lists only pages that exist, each at a path of its own', () => {
    const listed = [...sources.values()];
    assert.deepEqual(
      listed.filter((path) => !tracked.includes(path)),
      [],
    );
    assert.equal(sources.size, new Set(listed).size);
  });

  it('has every operation of the contract once, with a link to its samples', () => {
    const text = [...contractPages().values()].join('\n');
    for (const id of Object.keys(operationTable)) {
      assert.equal(text.split(` {#${id}}\n`).length, 2, id);
      assert.ok(text.includes(`(/docs#${id})`), id);
    }
  });
});
