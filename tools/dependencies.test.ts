import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

describe('docs/dependencies.md', () => {
  const rows = readFileSync('docs/dependencies.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (package|-)/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));

  it('has a line for each package that the product loads, and no other', () => {
    const named = rows.map(([, name]) => name);
    assert.deepEqual(named.sort(), Object.keys(dependencies).sort());
  });

  it('says what each is for, why, its size and release, and the licence it was installed with', () => {
    for (const [, name, use, reason, size, release, licence] of rows) {
      const own = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as {
        readonly license: string;
      };
      assert.ok(use !== '' && reason !== '', name);
      assert.match(size ?? '', /^\d+$/, name);
      assert.match(release ?? '', /^\d{4}-\d{2}-\d{2}$/, name);
      assert.equal(licence, own.license, name);
    }
  });
});
