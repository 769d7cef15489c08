import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { person } from '../conformance/ledger/book.ts';
import { keyIdOf } from '../domain/account.ts';
import { instant } from '../domain/instant.ts';
import { atomic } from '../domain/money.ts';
import { need, type Need } from './batch/need.ts';
import { CREDIT_LINES } from './credit/lines.ts';
import { NONCES } from './nonces.ts';
import { openStore, type Store } from './store.ts';

const WRITER = `
  const sqlite3 = require('sqlite3');
  const [path, keyId, nonce] = process.argv.slice(1);
  const database = new sqlite3.Database(path);
  database.run('INSERT INTO nonces (key_id, nonce, seen_at) VALUES (?, ?, 1)', [keyId, nonce]);
  database.close();`;

describe('a batch beside another process (SQLite)', () => {
  let folder = '';
  let path = '';
  let store: Store;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beside-'));
    path = join(folder, 'hub.sqlite');
    store = await openStore(`sqlite:${path}`);
  });
  after(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  let made = 0;
  /** Counts on a credit line unless a nonce is taken, which another process does meanwhile. */
  async function decided(needsOf: (nonce: Need, line: Need) => readonly Need[]) {
    made += 1;
    const nonce = { keyId: keyIdOf(new Uint8Array(32)), nonce: `n${made}` };
    const line = { account: person(), network: 'sandbox' } as const;
    let runs = 0;
    const answer = await store.decide({
      needs: needsOf(need(NONCES, nonce), need(CREDIT_LINES, line)),
      decide(db) {
        if (db.find(NONCES, nonce) !== undefined) return 'taken';
        runs += 1;
        if (runs === 1)
          execFileSync(process.execPath, ['-e', WRITER, path, nonce.keyId, nonce.nonce]);
        db.find(CREDIT_LINES, line);
        db.put(CREDIT_LINES, line, { ...line, earned: atomic(1n) });
        return 'counted';
      },
    });
    const rows = await store.read(({ knex }) =>
      knex('credit_lines').where({ account: line.account }),
    );
    return [answer, rows.length];
  }

  it('rests on nothing that the other one changed between its read and its write', async () => {
    assert.deepEqual(await decided((nonce, line) => [nonce, line]), ['taken', 0]);
  });

  it('rests on nothing that changed between two of its reads', async () => {
    assert.deepEqual(await decided((nonce) => [nonce]), ['taken', 0]);
    assert.deepEqual(await decided(() => []), ['taken', 0]);
  });

  it('decides again together with the others of its batch', async () => {
    const nonce = { keyId: keyIdOf(new Uint8Array(32)), nonce: 'together' };
    let isWritten = false;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, nth) => {
        const line = { account: person(), network: 'sandbox' } as const;
        return store.decide({
          needs: [need(NONCES, nonce), need(CREDIT_LINES, line)],
          startedAt: instant(1),
          decide(db) {
            const isTaken = db.find(NONCES, nonce) !== undefined;
            if (!isWritten && nth === 7) {
              isWritten = true;
              execFileSync(process.execPath, ['-e', WRITER, path, nonce.keyId, nonce.nonce]);
            }
            db.put(CREDIT_LINES, line, { ...line, earned: atomic(1n) });
            return isTaken;
          },
        });
      }),
    );
    assert.deepEqual(new Set(answers), new Set([true]));
  });
});
