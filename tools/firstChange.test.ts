import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

describe('docs/first-change.md', () => {
  const page = readFileSync('docs/first-change.md', 'utf8');

  it('has changes that fit the code as it is', () => {
    const changes = [...page.matchAll(/^```diff\n([^]*?)^```$/gm)].map(([, change = '']) => change);
    assert.equal(changes.length, 5);
    for (const input of changes) {
      const { status, stderr } = spawnSync('git', ['apply', '--check', '-'], { input });
      assert.equal(status, 0, String(stderr));
    }
  });

  it('has commands that the package and the tree know', () => {
    const commands = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block = '']) =>
      block.trim().split('\n'),
    );
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    assert.ok(commands.length >= 7);
    for (const [, name = ''] of commands.join('\n').matchAll(/npm run ([\w:]+)/g)) {
      assert.ok(name in scripts, name);
    }
    const made = new Set([...page.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path]) => path));
    for (const [path] of commands.join('\n').matchAll(/\b[\w/]+\.test\.ts/g)) {
      assert.ok(existsSync(path) || made.has(path), path);
    }
  });
});
