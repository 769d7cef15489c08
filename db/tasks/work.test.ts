import assert from 'node:assert/strict';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { parseAccount } from '../../domain/account.ts';
import { STATES_OF, type WorkState } from '../../domain/tasks/work.ts';
import { link, linkOf, type Reader, type Statement, type Value } from '../connection.ts';
import { tasksWonBy } from './pitches.ts';
import { attemptsBy, casesOf, tasksBy } from './work.ts';

onBothDatabases('the work of an account', (open) => {
  const account = parseAccount('key:3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt');

  it('is read by an index over its own rows, whatever is asked for', async () => {
    const store = await open();
    assert.ok(account !== undefined);
    const place = { account, before: undefined, limit: 51 };
    const { worker, requester } = STATES_OF;
    const any = ['any'] as const;
    await store.read(async (db) => {
      const plans: string[] = [];
      const spied = explaining(db, plans);
      for (const state of [...any, ...worker]) {
        if (state !== 'open') await attemptsBy(spied, state, place);
      }
      for (const state of [...any, ...requester]) {
        await tasksBy(spied, state as Exclude<WorkState, 'announced'>, place);
      }
      await casesOf(spied, place);
      await tasksWonBy(spied, place);
      assert.equal(plans.length, worker.length + requester.length + 4);
      const scans = plans.filter((plan) => /SCAN (?!json_each)/.test(plan));
      assert.deepEqual(scans, []);
    });
  });

  /** Keeps the plan of each query on SQLite, which says what it walks; elsewhere its text. */
  function explaining(db: Reader, plans: string[]): Reader {
    const { dialect } = linkOf(db);
    const rows = async (text: Statement, values: readonly Value[]) => {
      const plan: unknown =
        dialect === 'sqlite'
          ? await db.knex.raw(`EXPLAIN QUERY PLAN ${text.sqlite}`, values.map(String))
          : text.postgres;
      plans.push(JSON.stringify(plan));
      return linkOf(db).rows(text, values);
    };
    return { ...db, [link]: { dialect, knex: db.knex, rows } };
  }
});
