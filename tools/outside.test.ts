import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rowsIn, withRow } from './outcomes.mjs';
import { SCRIPTS } from './outside.mjs';

describe('the table of scripts that need more than npm', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const rows = rowsIn(readFileSync('docs/testing.md', 'utf8'), 'script');

  it('has scripts of package.json, each with outcome, date, Node and minutes', () => {
    assert.ok(rows.size > 0);
    for (const [name, [outcome, date, node, minutes]] of rows) {
      assert.ok(SCRIPTS.includes(name), name);
      assert.match(String(outcome), /^(?:passed|failed)$/);
      assert.match(String(date), /^20\d\d-\d\d-\d\d$/);
      assert.match(String(node), /^\d+\.\d+\.\d+$/);
      assert.ok(Number(minutes) > 0);
    }
  });

  it('takes a row in the order of the names, and leaves the rest as it is', () => {
    const page =
      'Before.\n\n| script | minutes |\n| ------ | ------- |\n| `b`    | 2       |\n\nAfter.\n';
    const both = withRow(page, ['script', 'minutes'], 'a', ['1']);
    assert.equal(both, page.replace('| `b`', '| `a`    | 1       |\n| `b`'));
    assert.equal(withRow(both, ['script', 'minutes'], 'a', ['1']), both);
  });

  it('runs scripts that there are', () => {
    assert.deepEqual(
      SCRIPTS.filter((name) => !(name in scripts)),
      [],
    );
  });
});
