import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rowsIn } from './outcomes.mjs';
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

  it('runs scripts that there are', () => {
    assert.deepEqual(
      SCRIPTS.filter((name) => !(name in scripts)),
      [],
    );
  });
});
