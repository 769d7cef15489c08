import { strict as assert } from 'node:assert';
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { startPooler, type Pooler } from '../conformance/harness/pooler.ts';
import { startPostgres, type RunningPostgres } from '../conformance/harness/postgres.ts';
import { program } from '../conformance/harness/program.ts';
import { fund, pay, person, run, spendable } from '../conformance/ledger/book.ts';
import type { Account } from '../domain/account.ts';
import { openStore, type Store } from './store.ts';

/** The limit of the server and time for a busy machine; before, a neighbour waited for 10 s. */
const WAIT_MS_MAX = 6_000;

describe('a process that is suspended inside a transaction (PostgreSQL)', function suite() {
  this.timeout(60_000);
  let server: RunningPostgres;
  let pooler: Pooler;
  let url: string;
  let store: Store;
  const children: ChildProcess[] = [];
  before(async () => {
    server = await startPostgres();
    pooler = await startPooler(server.folder);
    url = await server.freshDatabase();
    store = await openStore(url);
  });
  afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));
  after(async () => {
    await store.close();
    await pooler.close();
    await server.stop();
  });

  interface Suspendable {
    readonly child: ChildProcess;
    /** The next line that the process writes. */
    next(): Promise<string>;
  }
  const start = async (
    address: string,
    from: Account,
    to: Account,
    way: string,
  ): Promise<Suspendable> => {
    const file = await program('conformance/ledger/suspendable.ts');
    const args = [file, address, from, to, way];
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, DIRECT_URL: url },
    });
    children.push(child);
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    return { child, next: async () => String((await lines.next()).value) };
  };

  for (const [address, title] of [
    [() => url, 'directly'],
    [() => pooler.addressOf(new URL(url).pathname.slice(1)), 'through a pooler'],
  ] as const) {
    for (const way of ['decides', 'reads', 'writes']) {
      it(`releases its rows to others, and pays once when it resumes: ${way}, ${title}`, async () => {
        const [payer, payee] = [person(), person()];
        await fund(store, payer, 10n);
        const other = new pg.Client({ connectionString: url });
        await other.connect();
        if (way === 'reads') {
          await other.query('BEGIN');
          await other.query('SELECT FROM accounts WHERE name = $1 FOR UPDATE', [payer]);
        }
        const { child, next } = await start(address(), payer, payee, way);
        assert.equal(await next(), 'ready');
        assert.equal(await next(), 'holding');
        child.kill('SIGSTOP');
        await other.end();
        const began = performance.now();
        await run(store, [pay(payer, payee, 2n)]);
        assert.ok(performance.now() - began < WAIT_MS_MAX, 'the neighbour does not wait');
        child.kill('SIGCONT');
        assert.equal(await next(), 'paid');
        assert.equal(await spendable(store, payee), 3n);
      });
    }
  }
});
