import assert from 'node:assert/strict';
import { meanings } from '../../../generated/meanings.ts';
import { meaningTables } from './table.ts';

describe('the vocabulary of other languages', () => {
  it('is generated as its stemmers make it', () => {
    const tables = meaningTables();
    assert.deepEqual(Object.keys(meanings), [...tables.keys()]);
    for (const [name, table] of tables) {
      const written = meanings[name as keyof typeof meanings].split(';');
      const made = [...table].map(([word, stems]) => [word, ...stems].join(' '));
      assert.deepEqual(written, made, name);
    }
  });

  it('has no word or stem with the letters that part them', () => {
    for (const table of meaningTables().values()) {
      for (const each of [...table.keys(), ...[...table.values()].flat()]) {
        assert.match(each, /^[^ ;]+$/);
      }
    }
  });
});
