import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { postInside } from '../../db/ledger/postInside.ts';
import { post, readsOf } from '../../db/ledger/post.ts';
import { openStore } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { transferId } from '../../domain/ledger/transfer.ts';
import { pay, transfer } from './book.ts';

/**
 * A process that pays once and reports where it is: `ready`, `holding` while its transaction is
 * open, then `paid` or the error. Its test stops it at `holding` with SIGSTOP.
 */
const STDOUT = 1;
const HOLD_MS = 500;
const [url = '', from = '', to = '', way = ''] = process.argv.slice(2);

const report = (text: string): void => void writeSync(STDOUT, `${text}\n`);

/** Blocks the event loop, so that the process is stopped before it has sent another statement. */
function hold(): void {
  report('holding');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HOLD_MS);
}

const directUrl = process.env['DIRECT_URL'];
const store = await openStore(url, { report: () => undefined, directUrl });
const steps = [pay(from as Account, to as Account, 1n)];
const moved = transfer(steps, { id: transferId(randomUUID()) });
const needs = readsOf(store.dialect, moved);
let isHeld = false;
/** Holds in the first run alone: the transaction that runs again after SIGCONT is a quick one. */
const holdOnce = (): void => {
  if (!isHeld) hold();
  isHeld = true;
};

const ways: Readonly<Record<string, () => Promise<unknown>>> = {
  /** Between the read and the write of a batch. */
  decides: () =>
    store.decide({
      needs,
      decide(db) {
        holdOnce();
        return post(db, moved);
      },
    }),
  /** Before the answer of a batch's read arrives: the test holds the row meanwhile. */
  reads() {
    void sleep(HOLD_MS).then(() => report('holding'));
    return store.decide({ needs, decide: (db) => post(db, moved) });
  },
  /** Between two statements of a unit. */
  writes: () =>
    store.write(async (tx) => {
      await tx.knex('accounts').where({ name: from }).forUpdate();
      holdOnce();
      await postInside(tx, moved);
    }),
};

report('ready');
const act = ways[way] ?? (() => Promise.reject(new Error(`there is no way ${way}`)));
await act().then(
  () => report('paid'),
  (error: unknown) => report(String(error)),
);
await store.close();
