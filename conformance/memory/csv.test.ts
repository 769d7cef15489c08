import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { makeSpace, writeNote } from './space.ts';

/** Texts that a file of CSV is broken by, or that a spreadsheet runs. */
const NASTY = [
  'a, b and "c"',
  '"quoted"',
  'first\nsecond, third',
  'semi;colon\tand tab',
  '=1+1',
  '+cmd|x',
  '-2+3 plans',
  '@SUM(A1)',
  'a;=1+1',
  'Łódź, 漢字, مرحبا, 👍',
  "'already",
  ' ',
] as const;
/** A spreadsheet takes a cell that begins so for a formula. */
const FORMULA = /^[\s"]*[=+@-]/;
const END = '2030-01-01T00:00:00.000Z';

/** The cells of each row (RFC 4180), read by a reader of its own. */
function readCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y;
  while (cell.lastIndex < text.length) {
    const [whole, quoted, plain = '', end] = cell.exec(text) ?? assert.fail('no cell');
    assert.notEqual(whole, '');
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  assert.deepEqual(rows.pop(), [], 'the last line has its end');
  return rows;
}

describe('notes as CSV', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '10000000');
  });
  after(() => world.close());

  it('are read back with key, text, facts and end, whatever they hold, and run nothing', async () => {
    const { alice } = world;
    const space = await makeSpace(alice);
    for (const [n, text] of NASTY.entries()) {
      const metadata = { text, 'a.b': n, yes: n % 2 === 0 };
      const more = { metadata, ...(n % 3 === 0 && { expiresAt: END }), key: `note ${n}` };
      mustOk(await writeNote(alice, space, `${text}${n}`, more));
      mustOk(await writeNote(alice, space, `${n}${text}`));
    }
    const { notes } = mustOk(await alice.get(`${space.path}?limit=50`));
    const request = await alice.signed('GET', `${space.path}?limit=50`);
    request.headers.set('accept', 'text/csv');
    const { text, headers } = await alice.send(request);
    assert.match(headers.get('content-type') ?? '', /^text\/csv/);
    const [names = [], ...rows] = readCsv(text);
    const stored = notes as readonly Readonly<Record<string, unknown>>[];
    assert.equal(rows.length, 2 * NASTY.length);
    for (const [n, row] of rows.entries()) {
      assert.equal(row.length, names.length);
      for (const cell of row) assert.ok(!cell.split(';').some((part) => FORMULA.test(part)), cell);
      const read = Object.fromEntries(names.map((name, at) => [name, row[at] ?? '']));
      const { key = '', content, metadata, expiresAt = '', noteId } = stored[n] ?? {};
      assert.deepEqual([read['noteId'], read['key'], read['expiresAt']], [noteId, key, expiresAt]);
      // An apostrophe before a sign makes it text; it is all that a reader takes away.
      assert.equal(read['content']?.replace(/(^|;)'(?=[=+@-])/g, '$1'), content);
      assert.deepEqual(
        read['metadata'] === '' ? undefined : JSON.parse(read['metadata'] ?? ''),
        metadata,
      );
    }
  });
});
