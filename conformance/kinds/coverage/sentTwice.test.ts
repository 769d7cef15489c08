import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '../../harness/contract.ts';
import { takesKey, type SentTwice } from '../../harness/twice.ts';

/**
 * The tests of each operation that changes something are run with every call sent twice, as after a
 * lost answer (harness/twice.ts). Only the second answers are judged: such a test may count calls.
 */
const MS_MAX = 1_200_000;
const KEYED = operations.filter(takesKey);

for (const database of ['sqlite', 'postgres']) {
  describe(`a call under an idempotency key (${database})`, function suite() {
    this.timeout(MS_MAX);
    let notes: readonly SentTwice[] = [];
    before(async () => {
      notes = await runTwice(database);
    });

    it('gets its first answer again when it is sent a second time', () => {
      assert.deepEqual(
        notes.filter(({ fault }) => fault !== undefined),
        [],
      );
    });

    for (const { operationId } of KEYED) {
      it(`counts once: ${operationId}`, () => {
        assert.ok(notes.some(({ id }) => id === operationId));
      });
    }
  });
}

async function runTwice(database: string): Promise<readonly SentTwice[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-twice-'));
  const file = join(folder, 'notes');
  const tests = KEYED.map(({ operationId }) => `conformance/${operationId.replace('.', '/')}`)
    .map((path) => `${path}.test.ts`)
    .filter((path) => existsSync(path));
  const child = spawn(process.execPath, ['tools/test.mjs', '-w', '2', '--again', '0', ...tests], {
    env: { ...process.env, SENT_TWICE: file, TEST_DATABASE: database },
    stdio: 'ignore',
  });
  await once(child, 'exit');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  rmSync(folder, { recursive: true, force: true });
  return lines.map((line) => JSON.parse(line) as SentTwice);
}
