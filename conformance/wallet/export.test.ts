import assert from 'node:assert/strict';
import { ownedTables, tableNameOf } from '../../db/batch/tables.ts';
import type { Agent } from '../harness/agents.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { makeSpace, writeNote } from '../memory/space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { decide } from '../operator/_operator.ts';
import { act, publish } from '../tasks/_work.ts';
import { walletPath } from './_signed.ts';

type Found = Readonly<Record<string, unknown>>;
/** Names of columns that hold an account or a key. */
const PERSONAL =
  /^(account|owner|requester|worker|author|creator|reporter|reviewer|caller|payer|borrower|raised_by)$/;
/** Tables of which wallet.erase leaves nothing. */
const ERASED = ['account_events', 'files', 'memory_spaces', 'webhook_deliveries', 'webhooks'];
/** Tables without a description whose rows are in no export of their own, with the reason. */
const APART: Readonly<Record<string, string>> = {
  a2a_tasks: 'answers that calls got already, for an hour',
  account_event_heads: 'the number of the newest event',
  account_links: 'links of accounts, which are data of another account too',
  case_accounts: 'cases are rebuilt from tasks',
  case_runs: 'cases are rebuilt from tasks',
  fresh_checks: 'addresses of callers, for a day',
  judge_records: 'computed from votes, which are in the export',
  karma_figures: 'computed from karma entries',
  key_proposals: 'wishes that end in a day',
  listing_reports_aside: 'reports of listings that are not listed',
  model_borne: 'sums of calls of models',
  note_versions: 'former versions of notes, in the export of a space',
  x402_upstream: 'in the books',
};

hubsOnBothDatabases('wallet.export', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
    await world.fund(world.alice, '90000000');
  });

  const rowsOf = async (agent: Agent, limit = 200): Promise<readonly Found[]> => {
    const rows: Found[] = [];
    for (let after = ''; ;) {
      const query = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
      const page = mustOk(await agent.get(`${walletPath(agent)}/export?limit=${limit}${query}`));
      rows.push(...(page['rows'] as Found[]));
      if (page['hasMore'] !== true) return rows;
      after = String(page['next']);
    }
  };
  const inTable = (rows: readonly Found[], table: string): readonly Found[] =>
    rows.filter((each) => each['table'] === table).map((each) => each['row'] as Found);

  it('has each kind of row of the account, and none of another account', async () => {
    const { alice, bob } = world;
    await world.fund(bob, '1000000');
    const task = await publish(alice, { title: 'Mine' });
    await publish(bob, { title: 'Of bob', rewardAmount: '1000' });
    mustOk(await act(alice, task.id, 'comments', { author: alice.account, body: 'My words.' }));
    mustOk(await act(bob, task.id, 'comments', { author: bob.account, body: 'Words of bob.' }));
    mustOk(await alice.post('/api/v1/passport', { keyId: alice.keyId, bio: 'About me.' }));
    mustOk(await writeNote(alice, await makeSpace(alice, 'shared'), 'My note.'));
    mustOk(await alice.post(`${walletPath(alice)}/api-keys`, { label: 'My key' }));
    const rows = await rowsOf(alice);
    const has = (table: string, column: string, value: string): void =>
      assert.ok(
        inTable(rows, table).some((row) => row[column] === value),
        `${table}: ${JSON.stringify(inTable(rows, table))}`,
      );
    has('keys', 'key_id', alice.keyId);
    has('tasks', 'title', 'Mine');
    has('comments', 'body', 'My words.');
    has('passports', 'bio', 'About me.');
    has('notes', 'content', 'My note.');
    has('api_keys', 'label', 'My key');
    assert.ok(inTable(rows, 'entries').length > 0);
    const text = JSON.stringify(rows);
    for (const other of ['Of bob', 'Words of bob.', '"digest"', 'token_key']) {
      assert.ok(!text.includes(other), other);
    }
    assert.deepEqual(await rowsOf(alice, 3), rows, 'small pages have the same rows');
  });

  it('is refused to others, and for cursors that no page gave', async () => {
    const { alice, bob } = world;
    mustRefuse(await bob.get(`${walletPath(alice)}/export`), 401, 'wrong-owner');
    const cursor = (value: unknown): string =>
      Buffer.from(JSON.stringify(value)).toString('base64url');
    const bad = [
      'x',
      cursor(['accounts', 'x']),
      cursor(['keys']),
      cursor(['keys', 1]),
      cursor(['keys', 'a\u0000']),
      cursor(['keys', '\ud800']),
      cursor(['account_events', '1']),
      cursor(['account_events', 1e300]),
      cursor({ keys: 1 }),
    ];
    for (const after of bad) {
      const answer = await alice.get(`${walletPath(alice)}/export?after=${after}`);
      mustRefuse(answer, 400, 'bad-request');
    }
  });

  it('goes on while the account is banned', async () => {
    const banned = await world.agent();
    await decide([world], 'ban', banned.keyId, 'Fraud.');
    const [decision] = inTable(await rowsOf(banned), 'moderation_decisions');
    assert.equal(decision?.['reason'], 'Fraud.');
  });

  it('knows every table with a column for an account', async () => {
    const { store, settings } = world.hub.running.hub;
    const isPostgres = settings.databaseUrl.startsWith('postgres');
    const tables = await store.read(async ({ knex }) => {
      const sql = isPostgres
        ? `SELECT table_name AS name, column_name AS column FROM information_schema.columns
            WHERE table_schema = current_schema()`
        : `SELECT m.name AS name, c.name AS "column" FROM sqlite_master AS m
            JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table'`;
      const found: unknown = await knex.raw(sql);
      const rows = (isPostgres ? (found as { rows: unknown }).rows : found) as Found[];
      return [
        ...new Set(
          rows.flatMap((row) =>
            PERSONAL.test(String(row['column'])) ? [String(row['name'])] : [],
          ),
        ),
      ];
    });
    assert.ok(tables.length > 30);
    const eraser = await world.agent();
    const erased = await eraser.post(`${walletPath(eraser)}/erase`, { confirm: 'erase' });
    const stays = mustOk(erased)['stays'] as Found[];
    const described = ownedTables.map(tableNameOf);
    const listed = [...ERASED, ...Object.keys(APART), ...described];
    const known = [...stays.map(({ table }) => table), ...listed];
    assert.deepEqual(tables.filter((table) => !known.includes(table)).sort(), []);
  });
});
