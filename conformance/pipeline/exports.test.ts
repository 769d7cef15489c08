import assert from 'node:assert/strict';
import { operations } from '../harness/contract.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import type { Agent, Answer } from '../harness/agents.ts';
import { publish } from '../tasks/_work.ts';

type Row = Readonly<Record<string, unknown>>;

describe('lists of an account as files (choices pipeline.exports)', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '1000000');
    for (const memo of ['plain', 'a "quote", a comma\nand a line', '=SUM(A1:A9)', '@cmd']) {
      const { alice, bob } = world;
      const body = { to: bob.account, amount: '10', memo, idempotencyKey: memo.slice(0, 4) };
      mustOk(await alice.post(`/api/v1/wallet/${alice.account}/pay`, body));
    }
  });
  after(() => world.close());

  const statement = (): string => `/api/v1/wallet/${world.alice.account}/statement`;
  const as = async (agent: Agent, path: string, accept: string): Promise<Answer> => {
    const request = await agent.signed('GET', path);
    request.headers.set('accept', accept);
    return agent.send(request);
  };
  const entries = async (query = ''): Promise<readonly Row[]> =>
    mustOk(await world.alice.get(`${statement()}${query}`))['entries'] as readonly Row[];

  it('has the entries of the page in CSV, texts of others made harmless', async () => {
    const answer = await as(world.alice, statement(), 'text/csv');
    assert.equal(answer.headers.get('content-type'), 'text/csv');
    assert.match(
      answer.headers.get('content-disposition') ?? '',
      /^attachment; filename="wallet\.st/,
    );
    const [names, ...rows] = readCsv(answer.text);
    const column = (name: string) => rows.map((row) => row[names?.indexOf(name) ?? -1]);
    const json = await entries();
    assert.deepEqual(
      column('seq'),
      json.map(({ seq }) => String(seq)),
    );
    assert.deepEqual(
      column('amount'),
      json.map(({ amount }) => amount),
    );
    assert.deepEqual(
      column('ref.id'),
      json.map(({ ref }) => (ref as Row)['id']),
    );
    assert.deepEqual(column('memo'), [
      "'@cmd",
      "'=SUM(A1:A9)",
      'a "quote", a comma\nand a line',
      'plain',
      '',
    ]);
  });

  it('has them as JSON Lines, unchanged', async () => {
    const { headers, text } = await as(world.alice, statement(), 'application/x-ndjson');
    assert.equal(headers.get('content-type'), 'application/x-ndjson');
    const lines = text.trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as unknown),
      await entries(),
    );
  });

  it('leads from page to page until the list is at its end', async () => {
    const seqs: string[] = [];
    let path: string | undefined = `${statement()}?limit=2&network=sandbox`;
    for (let pages = 0; path !== undefined && pages < 5; pages += 1) {
      const { headers, text } = await as(world.alice, path, 'text/csv');
      seqs.push(
        ...readCsv(text)
          .slice(1)
          .map(([seq = '']) => seq),
      );
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    assert.deepEqual(seqs, ['5', '4', '3', '2', '1']);
  });

  it('is JSON for a client that accepts both, and for everything else', async () => {
    for (const accept of ['*/*', 'application/json, text/csv, application/x-ndjson', 'image/png']) {
      const { headers } = await as(world.alice, statement(), accept);
      assert.equal(headers.get('content-type'), 'application/json', accept);
    }
  });

  it('names its columns where the list is empty, in every list that has this form', async () => {
    const other = await world.agent();
    const exported = operations.filter(({ raw }) => raw['x-export'] !== undefined);
    assert.ok(exported.length >= 7);
    for (const { operationId, path } of exported) {
      if (operationId === 'memory.readSpace') continue;
      const asked = operationId === 'registry.crawlFeeds' ? `${path}?by=month` : path;
      const own = asked.replace('{owner}', other.account);
      const { status, text } = await as(other, own, 'text/csv');
      assert.equal(status, 200, operationId);
      assert.match(text, /^[\w.]+(,[\w.]+)+\r\n$/, operationId);
    }
  });

  it('refuses another account in JSON', async () => {
    const { status, headers } = await as(world.bob, statement(), 'text/csv');
    assert.deepEqual([status, headers.get('content-type')], [401, 'application/json']);
  });

  it('has the rows that the filters of each list choose, and no others', async () => {
    const { alice, hub } = world;
    for (const tags of [['csv', 'rain'], ['csv']])
      await publish(alice, { tags, rewardAmount: '2000' });
    const closesAt = new Date(hub.clock.now() + 3_600_000).toISOString();
    for (const question of ['Will there be rain at noon?', 'Will there be snow at noon?']) {
      const market = { question, source: 'The window.', closesAt };
      const body = { ...market, network: 'sandbox', idempotencyKey: question };
      mustOk(await alice.post('/api/v1/games/predictions/markets', body));
    }
    for (const seats of [2, 6]) {
      const body = { format: 'cash', seats, bigBlind: '1000' };
      mustOk(await alice.post('/api/v1/games/poker/tables', body));
    }
    for (const [path, list, rows] of [
      [`${statement()}?reason=market.fee&minAmount=1`, 'entries', 2],
      ['/api/v1/me/events?types=task.published', 'events', 2],
      ['/api/v1/tasks?tags=csv,rain&minReward=2000', 'tasks', 1],
      ['/api/v1/games/predictions/markets?q=RAIN&sort=pot', 'markets', 1],
      ['/api/v1/games/poker/tables?seats=2&maxStake=1000&free=true', 'tables', 1],
    ] as const) {
      const json = mustOk(await alice.get(path))[list] as readonly Row[];
      assert.equal(json.length, rows, path);
      const [names = [], ...cells] = readCsv((await as(alice, path, 'text/csv')).text);
      const [first = ''] = names;
      assert.deepEqual(
        cells.map(([cell]) => cell),
        json.map((row) => String(row[first])),
        path,
      );
    }
  });
});

/** RFC 4180, read by its grammar. */
function readCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}
