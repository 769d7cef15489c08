import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { eachOperation, type Document } from '../generate/document.ts';
import { contractPages } from './contractPages.ts';
import { groupsOf, type Area } from './groups.ts';
import { treeOf } from './tree.ts';

/** A list longer than this is looked through from its first line to its last. */
const LISTED_MAX = 12;
const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document & {
  readonly tags: readonly Area[];
};

describe('the areas of the contract', () => {
  it('have no list of operations that is longer than a reader looks through', () => {
    for (const area of document.tags) {
      for (const { title, operations } of groupsOf(document, area)) {
        const { length } = operations;
        assert.ok(length > 0 && length <= LISTED_MAX, `${area.name} ${title ?? ''}: ${length}`);
      }
    }
  });

  it('have each operation in one group', () => {
    const grouped = document.tags.flatMap((area) =>
      groupsOf(document, area).flatMap(({ operations }) =>
        operations.map(({ operation }) => operation.operationId),
      ),
    );
    const all = eachOperation(document).map(({ operation }) => operation.operationId);
    assert.deepEqual([...grouped].sort(), [...all].sort());
    for (const { name, 'x-groups': groups = {} } of document.tags) {
      for (const id of Object.values(groups).flat()) assert.ok(all.includes(`${name}.${id}`), id);
    }
  });

  it('show their groups in the tree of the contract and on their page', () => {
    const tree = treeOf(document, document.tags).html;
    const pages = contractPages();
    for (const { name, 'x-groups': groups = {} } of document.tags) {
      for (const title of Object.keys(groups)) {
        assert.ok(tree.includes(title), title);
        assert.ok(pages.get(name)?.includes(`\n\n## ${title}\n\n### `), title);
      }
    }
  });
});
