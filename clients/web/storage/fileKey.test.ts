import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyOfFile, nameOfKey } from './fileKey.ts';

const contract = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../generated/openapi.json'), 'utf8'),
) as { components: { schemas: Record<string, { pattern?: string }> } };

describe('the key of a file that is uploaded', () => {
  it('is one that the contract takes, whatever the file is called', () => {
    const pattern = contract.components.schemas['FileKey']?.pattern;
    assert.ok(pattern !== undefined);
    const names = ['tide.txt', '.env', '...x', 'Flut ü.pdf', 'a/b\\c', '日本.md', 'x'.repeat(300)];
    for (const name of names) assert.match(keyOfFile(name), new RegExp(pattern), name);
    assert.equal(keyOfFile('tide table.txt'), 'tide table.txt');
    assert.equal(keyOfFile('...'), '');
  });

  it('ends in the name under which the file is saved again', () => {
    assert.equal(nameOfKey('reports/2026/tide.txt'), 'tide.txt');
    assert.equal(nameOfKey('reports/'), 'reports');
    assert.equal(nameOfKey('tide.txt'), 'tide.txt');
  });
});
