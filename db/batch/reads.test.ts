import assert from 'node:assert/strict';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { person } from '../../conformance/ledger/book.ts';
import { keyIdOf } from '../../domain/account.ts';
import { linkOf, type Dialect, type Link, type Statement, type Value } from '../connection.ts';
import { CREDIT_LINES } from '../credit/lines.ts';
import { NONCES } from '../nonces.ts';
import type { Store } from '../store.ts';
import { askedBy } from './asked.ts';
import { need } from './need.ts';
import { listsOf } from './jsonSql.ts';
import { openReads, readAsked, readBy } from './reads.ts';
import { readOrder } from './tables.ts';

const SETS_MAX = 5;
const SETS = 40;

onBothDatabases('the reading of a batch', (open) => {
  let store: Store;
  before(async () => {
    store = await open();
  });

  /** Every table whose place has its bit in `nth`, and one more; all for no key. */
  const asked = (nth: number) =>
    new Map(
      readOrder
        .filter((_, place) => place === nth % readOrder.length || ((nth >> (place % 6)) & 1) === 1)
        .map((table) => [table, new Map()] as const),
    );

  it('has few statements, whatever sets of tables come, and each answers what was asked', async () => {
    const reads = openReads(SETS_MAX);
    const texts = new Set<string>();
    await store.write(async (tx) => {
      const link: Link = Object.assign(Object.create(linkOf(tx)) as Link, {
        rows(text: Statement, values: Parameters<Link['rows']>[1]) {
          texts.add(text[linkOf(tx).dialect]);
          return linkOf(tx).rows(text, values);
        },
      });
      for (let nth = 0; nth < SETS; nth += 1) {
        const { row } = await readBy(reads, link, asked(nth));
        for (const { name } of asked(nth).keys()) assert.ok(row !== undefined && name in row, name);
      }
    });
    assert.ok(texts.size <= 2 * (SETS_MAX + 1), `${texts.size} statements`);
  });

  it('refuses a table that is not listed, which would be read as without rows', async () => {
    const unlisted = { ...NONCES, name: 'unlisted' };
    const asked = askedBy([need(unlisted, { keyId: keyIdOf(new Uint8Array(32)), nonce: 'n' })]);
    const read = store.read((db) => readAsked(linkOf(db), asked));
    await assert.rejects(read, /unlisted is not among the tables read/);
  });

  it('asks nothing when no table is asked for', async () => {
    const { row } = await store.read((db) => readAsked(linkOf(db), new Map()));
    assert.equal(row, undefined);
  });
});

describe('the statements of a batch', () => {
  const line = { account: person(), network: 'sandbox' } as const;
  const nonce = { keyId: keyIdOf(new Uint8Array(32).fill(7)), nonce: 'n' };
  const both = askedBy([need(CREDIT_LINES, line), need(NONCES, nonce)]);
  const one = askedBy([need(NONCES, nonce)]);

  const read = async (dialect: Dialect, asked: typeof both) => {
    const sent: (readonly [text: string, values: readonly Value[]])[] = [];
    const link = {
      dialect,
      rows(text: Statement, values: readonly Value[]) {
        sent.push([text[dialect], values]);
        return Promise.resolve([{ answer: sent.length }]);
      },
    } as Partial<Link> as Link;
    return { ...(await readBy(openReads(), link, asked)), sent };
  };
  const keysOn = (dialect: Dialect) => [
    listsOf(dialect, [[line.account, line.network]]),
    listsOf(dialect, [[nonce.keyId, nonce.nonce]]),
  ];

  it('lock on PostgreSQL what other reads depend on, before they read', async () => {
    const { row, locked, sent } = await read('postgres', both);
    assert.deepEqual([locked, row], [{ answer: 1 }, { answer: 2 }]);
    const [lock, reading] = sent;
    assert.match(
      lock?.[0] ?? '',
      /^SELECT \(SELECT count\(\*\)::int FROM \(SELECT 1 FROM unnest[^]*JOIN credit_lines [^]*FOR NO KEY UPDATE OF t\) AS locked\) AS credit_lines$/,
    );
    assert.deepEqual(lock?.[1], keysOn('postgres').slice(0, 1));
    assert.match(
      reading?.[0] ?? '',
      /^SELECT \(SELECT [^]*\) AS credit_lines, \([^]*\) AS nonces$/,
    );
    assert.deepEqual(reading?.[1], keysOn('postgres'));
  });

  it('lock nothing where nothing depends on it, and on SQLite', async () => {
    for (const [dialect, asked, count] of [
      ['postgres', one, 1],
      ['sqlite', both, 2],
    ] as const) {
      const { row, locked, sent } = await read(dialect, asked);
      assert.deepEqual([locked, row], [undefined, { answer: 1 }]);
      assert.deepEqual(
        sent.map(([, values]) => values),
        [keysOn(dialect).slice(-count)],
      );
    }
  });

  it('are made once for each set of tables, and for all tables past the first sets', () => {
    const reads = openReads(1);
    const first = reads(both);
    assert.deepEqual(
      first?.tables.map(({ name }) => name),
      ['credit_lines', 'nonces'],
    );
    assert.equal(reads(both), first);
    const rest = reads(one);
    assert.equal(rest?.tables, readOrder);
    assert.equal(reads(askedBy([need(CREDIT_LINES, line)])), rest);
    assert.equal(reads(both), first);
  });
});
