import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { NOTEBOOK, notebook } from './notebook.ts';

describe('the notebook of the Python client', () => {
  it('is what its program gives (npm run generate)', () => {
    assert.equal(readFileSync(NOTEBOOK, 'utf8'), notebook());
  });

  it('has prose and code in turn, and no mark of a cell', () => {
    const { cells } = JSON.parse(notebook()) as {
      readonly cells: readonly { readonly cell_type: string; readonly source: readonly string[] }[];
    };
    assert.deepEqual(
      cells.map((cell) => cell.cell_type),
      Array.from({ length: cells.length / 2 }, () => ['markdown', 'code']).flat(),
    );
    for (const { source } of cells) assert.doesNotMatch(source.join(''), /^# %%|^\s*$/);
  });
});
