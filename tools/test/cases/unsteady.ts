import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

describe('a file that fails beside others', () => {
  it('passes when it runs again', () => {
    const trace = join(tmpdir(), 'unsteady');
    const isFirst = !existsSync(trace);
    writeFileSync(trace, '');
    assert.equal(isFirst, false);
  });
});
