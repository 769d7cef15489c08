import assert from 'node:assert/strict';
import fc from 'fast-check';
import { keyAccount, keyIdOf } from '../account.ts';
import { readLines } from './exportLines.ts';

function done<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
const read = (text: string) => done(readLines(text));
const note = (more: object = {}): string => JSON.stringify({ line: 'note', content: 'x', ...more });
const GRANTEE = keyAccount(keyIdOf(new Uint8Array(32).fill(7)));

describe('lines of an import', () => {
  it('are notes and grants, each with its number; lines that only describe are left out', () => {
    const lines = [
      '{"line":"space","name":"a","mode":7}',
      note(),
      note({ content: 'y', key: 'k', embeddingBase64: 'AAAA', author: 7 }),
      JSON.stringify({ line: 'grant', grantee: GRANTEE, canWrite: true }),
      JSON.stringify({ line: 'grant', grantee: GRANTEE, canWrite: 'yes' }),
      '{"line":"end"}',
    ];
    assert.deepEqual(read(`${lines.join('\n')}\n \n`), [
      { is: 'note', line: 2, note: { content: 'x' } },
      { is: 'note', line: 3, note: { content: 'y', key: 'k', embedding: 'AAAA' } },
      { is: 'grant', line: 4, grantee: GRANTEE, canWrite: true },
      { is: 'grant', line: 5, grantee: GRANTEE, canWrite: false },
    ]);
    for (const empty of ['', ' \n ']) assert.deepEqual(read(empty), []);
  });

  it('are refused with the number of the first that is wrong, and why', () => {
    const noObject = 'is no JSON object';
    const rows = [
      ['{', `${noObject}: it is not JSON (offset 1)`],
      ['\ufeff{}', `${noObject}: it begins with a BOM`],
      ['{"a":1,"a":2}', `${noObject}: the key "a" appears twice in one object`],
      [note({ content: '\0' }), `${noObject}: a string holds a lone surrogate or U+0000`],
      [JSON.stringify(Array(65).fill(1)), `${noObject}: it has more than 64 members`],
      [JSON.stringify(Array(64).fill(1)), noObject],
      ['', `${noObject}: it is not JSON`],
      ['7', noObject],
      ['{"content":"x"}', 'names no `line` of an export: space, note, grant or end'],
      ['{"line":"Note"}', 'names no `line` of an export: space, note, grant or end'],
      ['{"line":"note"}', 'has no text as `content`'],
      [note({ content: 7 }), 'has no text as `content`'],
      [note({ key: 7 }), 'has a `key` that is no text'],
      [note({ key: null }), 'has a `key` that is no text'],
      [note({ embeddingBase64: [1] }), 'has an `embeddingBase64` that is no text'],
      ['{"line":"note","content":"\ud800"}', 'holds a lone surrogate or U+0000'],
      ['{"line":"note","content":"x","key":"\ud800"}', 'holds a lone surrogate or U+0000'],
      ['{"line":"grant"}', 'has no account as `grantee`'],
    ] as const;
    for (const [line, why] of rows) {
      assert.deepEqual(read([note(), line, '{', note()].join('\n')), { line: 2, why });
    }
  });

  it('grant to an account of a key or a wallet, and to no other', () => {
    const grant = (grantee: unknown) => read(JSON.stringify({ line: 'grant', grantee }));
    const wallet = `evm:0x${'a'.repeat(40)}`;
    for (const [given, grantee] of [
      [wallet, wallet],
      [GRANTEE.slice(4), GRANTEE],
    ]) {
      assert.deepEqual(grant(given), [{ is: 'grant', line: 1, grantee, canWrite: false }]);
    }
    for (const wrong of ['hub:fees', 'external:chain:base', 'x', '', 7, null]) {
      assert.deepEqual(grant(wrong), { line: 1, why: 'has no account as `grantee`' });
    }
  });

  it('are at most a hundred', () => {
    const lines = (count: number): string => Array<string>(count).fill(note()).join('\n');
    const last = { is: 'note', line: 100, note: { content: 'x' } };
    const read100 = read(`${lines(100)}\n`);
    assert.ok(!('why' in read100));
    assert.deepEqual(read100.at(-1), last);
    const why = 'is one more than the 100 of a call';
    for (const count of [101, 102]) assert.deepEqual(read(lines(count)), { line: 101, why });
  });

  it('give way between each other', () => {
    const steps = readLines([note(), note(), note()].join('\n'));
    assert.deepEqual(
      Array.from({ length: 4 }, () => steps.next().done),
      [false, false, false, true],
    );
  });

  it('never break, whatever they are', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const found = read(text);
        return 'why' in found ? found.line > 0 : found.length <= 100;
      }),
    );
  });
});
