import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { cutPage, readPage } from '../../../handlers/page.ts';
import { operations } from '../../harness/contract.ts';

/**
 * No list answers without end (choices pipeline.paging): a page has at most `limit` rows and ends
 * early at 2 MB, by the one piece that cuts pages, and what was left out is on the next.
 */
const BUDGET = 2 * 1024 * 1024;
/**
 * Where the cut is elsewhere: the statement's own page, notes at 512 KB, texts that are shortened, and
 * 200 events at most, which hold names and no text. A record of the MCP registry has at most 8 kB, so
 * that a hundred are below the budget.
 */
const CUT_IN: Readonly<Record<string, readonly [file: string, says: RegExp]>> = {
  'wallet.statement': ['../../../handlers/wallet/present/statement.ts', /cutPage\(/],
  'wallet.transactions': ['../../../handlers/wallet/present/statement.ts', /cutPage\(/],
  'memory.readSpace': ['../../../handlers/memory/readSpace.ts', /bytesMax: PAGE_BYTES_MAX/],
  'wallet.events': ['../../../spec/wallet/events.yaml', /x-clamp: 200/],
  'registry.servers': ['../../../domain/registry/serverJson.ts', /TEXT_LENGTH_MAX = 100/],
  'discovery.search': ['../../../handlers/discovery/search.ts', /shorten\(/],
};

interface Parameter {
  readonly name?: string;
  readonly $ref?: string;
}

const isLimit = ({ name, $ref = '' }: Parameter): boolean =>
  name === 'limit' || /\/Limit\d+$/.test($ref);

const lists = operations.filter(
  ({ method, raw }) =>
    method.toLowerCase() === 'get' &&
    (raw['parameters'] as readonly Parameter[] | undefined)?.some(isLimit),
);

describe('every list of the contract', () => {
  it('is one of many', () => {
    assert.ok(lists.length >= 28, `${lists.length} lists`);
  });

  for (const { operationId } of lists) {
    it(`${operationId} cuts its page by its weight`, () => {
      const own = `../../../handlers/${operationId.replace('.', '/')}.ts`;
      const [file, says] = CUT_IN[operationId] ?? [own, /(?:cutPage|readPage)(?:<\w+>)?\(/];
      assert.match(readFileSync(new URL(file, import.meta.url), 'utf8'), says);
    });
  }
});

describe('a page', () => {
  const rows = Array.from({ length: 201 }, (_, id) => ({ id, text: 'x'.repeat(30_000) }));
  const weight = (shown: unknown): number => Buffer.byteLength(JSON.stringify(shown));

  it('ends at 2 MB, and the next goes on behind it, until every row was shown once', () => {
    const seen: number[] = [];
    let pages = 0;
    for (let from = 0; from < rows.length; pages += 1) {
      const page = cutPage(rows.slice(from), 200, (row) => row);
      assert.ok(weight(page.shown) <= BUDGET + 1_000, `${weight(page.shown)} bytes`);
      seen.push(...page.shown.map(({ id }) => id));
      from += page.rows.length;
      assert.equal(page.more, from < rows.length);
    }
    assert.deepEqual(
      seen,
      rows.map(({ id }) => id),
    );
    assert.equal(pages, 3);
  });

  it('has the first row however heavy it is, and goes on behind it', () => {
    const heavy = [{ text: 'x'.repeat(BUDGET) }, { text: 'y' }];
    const { rows: kept, more } = cutPage(heavy, 200, (row) => row);
    assert.deepEqual([kept.length, more], [1, true]);
  });

  it('has no more rows than were asked for, and says whether there are more', () => {
    const light = [1, 2, 3];
    assert.deepEqual(cutPage(light, 2, String), { rows: [1, 2], shown: ['1', '2'], more: true });
    assert.deepEqual(cutPage(light, 3, String).more, false);
    assert.deepEqual(cutPage([], 3, String), { rows: [], shown: [], more: false });
  });

  it('weighs what is shown, and nothing that stays in the record', () => {
    const { rows: kept } = cutPage(rows, 200, ({ id }) => ({ id }));
    assert.equal(kept.length, 200);
  });

  it('ends alike when it is read in steps', async () => {
    const read = async (last: (typeof rows)[number] | undefined, count: number) =>
      rows.slice((last?.id ?? -1) + 1).slice(0, count);
    const { rows: page, more } = await readPage({ limit: 200, read, weigh: weight });
    const { rows: cut } = cutPage(rows, 200, (row) => row);
    assert.deepEqual([page.length, more], [cut.length, true]);
  });
});
