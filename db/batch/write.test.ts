import assert from 'node:assert/strict';
import type { Dialect, Link, Statement, Value } from '../connection.ts';
import { RowsChanged, writeEffects, writeInside, type Effect } from './write.ts';

const EFFECTS: readonly Effect[] = [
  { name: 'effect_a', rows: [[1, null]] },
  { name: 'effect_b', rows: [['x'], ['y']] },
];

describe('the writing of a batch', () => {
  let sent: { readonly statement: Statement; readonly values: readonly Value[] }[];
  beforeEach(() => {
    sent = [];
  });
  const link = (dialect: Dialect, error?: unknown): Link =>
    ({
      dialect,
      rows(statement: Statement, values: readonly Value[]) {
        sent.push({ statement, values });
        return error === undefined ? Promise.resolve([]) : Promise.reject(error as Error);
      },
    }) as Partial<Link> as Link;

  it('is one statement on SQLite, a row of the view for each effect', async () => {
    await writeEffects(link('sqlite'), EFFECTS);
    await writeEffects(link('sqlite'), EFFECTS);
    await writeEffects(link('sqlite'), EFFECTS.slice(1));
    const [first, second, third] = sent;
    const text = 'INSERT INTO effects (name, cells) VALUES';
    assert.equal(first?.statement.sqlite, `${text} (?, ?), (?, ?)`);
    assert.deepEqual(first.values, ['effect_a', '[[1,null]]', 'effect_b', '[["x"],["y"]]']);
    assert.equal(second?.statement, first.statement);
    assert.equal(third?.statement.sqlite, `${text} (?, ?)`);
  });

  it('is one statement on PostgreSQL, for each shape of a batch', async () => {
    await writeEffects(link('postgres'), EFFECTS);
    await writeEffects(link('postgres'), EFFECTS);
    await writeEffects(link('postgres'), [...EFFECTS].reverse());
    const [first, second, third] = sent;
    const calls = 'effect_a($1::jsonb[]), effect_b($2::jsonb[])';
    assert.equal(first?.statement.postgres, `SELECT ${calls}`);
    assert.deepEqual(first.values, [['[1,null]'], ['["x"]', '["y"]']]);
    assert.equal(second?.statement, first.statement);
    assert.match(third?.statement.postgres ?? '', /^SELECT effect_b\(\$1::jsonb\[\]\), effect_a/);
  });

  it('says of a unit that rows changed under it, and passes on every other error', async () => {
    const failed = (code?: string): Error => Object.assign(new Error('failed'), code && { code });
    for (const code of ['HB001', '23505']) {
      const error = failed(code);
      await assert.rejects(writeInside(link('postgres', error), EFFECTS), (thrown: Error) => {
        assert.ok(thrown instanceof RowsChanged);
        assert.equal(thrown.cause, error);
        assert.match(String(thrown), /^RowsChanged: rows changed between the read and the write$/);
        return true;
      });
    }
    for (const error of [failed('40001'), failed(), { code: 'HB001' }]) {
      const thrown = await writeInside(link('postgres', error), EFFECTS).catch(
        (reason: unknown) => reason,
      );
      assert.equal(thrown, error);
    }
  });
});
