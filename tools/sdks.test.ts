import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Samples of docs/sdks.md are parts of programs that `npm run sdks` generates for, compiles and runs. */
const page = readFileSync('docs/sdks.md', 'utf8');
const PROGRAM = /: \[[\w.]+\]\(([^)]+)\)\.\n\n```\w+\n([^]+?)```/g;

describe('the samples of docs/sdks.md', () => {
  it('are lines of the program that is linked above each', () => {
    const samples = [...page.matchAll(PROGRAM)];
    const blocks = page.match(/^```(?!sh$)\w+$/gm) ?? [];
    // The configuration of orval is saved from the page.
    assert.equal(samples.length, blocks.length - 1);
    for (const [, path = '', sample = ''] of samples) {
      const program = readFileSync(join('docs', path), 'utf8');
      assert.ok(linesOf(program).includes(linesOf(sample)), path);
    }
  });

  it('are of programs that npm run sdks runs', () => {
    const runner = ['generators', 'payees']
      .map((name) => readFileSync(`conformance/kinds/sdk/generators/${name}.mjs`, 'utf8'))
      .join('\n');
    for (const [, path = ''] of page.matchAll(PROGRAM)) {
      const [name = ''] = path.split('/').slice(-1);
      const program = name.replace(/\.(ts|go)$/, '');
      assert.ok(runner.includes(`'${name}'`) || runner.includes(`'${program}'`), name);
    }
  });
});

function linesOf(text: string): string {
  return `\n${text.trim().replace(/^[ \t]+/gm, '')}\n`;
}
