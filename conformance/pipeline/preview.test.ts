import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { DRY_RUN, exchange, tried as triedBy, type Agent, type Answer } from '../harness/agents.ts';
import { deref, operations, type DeclaredOperation } from '../harness/contract.ts';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustPreview, mustRefuse } from '../harness/must.ts';
import { claim, money, publish, RULE, type Body } from '../tasks/_work.ts';

/** `Prefer: dry-run`: every check, every entry, and a database that is the same byte for byte. */
for (const [name, url] of DATABASES) {
  describe(`a call with Prefer: dry-run (${name})`, () => {
    let world: Fixture;
    let alice: Agent;
    beforeEach(async function open() {
      this.timeout(60_000);
      world = await openFixture({ databaseUrl: await url() });
      ({ alice } = world);
      await world.fund(alice, '9000000');
      mustOk(await alice.get('/api/v1/me'));
      mustOk(await world.bob.get('/api/v1/me'));
    });
    afterEach(() => world.close());

    const tried = (path: string, body: unknown): Promise<Answer> => triedBy(alice, path, body);

    it('shows the entries and fees of a settlement, and pays no account', async () => {
      const { bob } = world;
      const { id } = await publish(alice, { verification: 'requester' });
      const claimToken = await claim(bob, id);
      mustOk(await bob.post(`/api/v1/tasks/${id}/submit`, { claimToken, result: 'x' }));
      const before = await snapshot(world);
      const preview = mustPreview(
        await tried(`/api/v1/tasks/${id}/accept`, { requester: alice.account }),
      );
      assert.equal(at(preview, 'answer', 'state'), 'paid');
      assert.deepEqual(preview['fees'], [{ network: 'sandbox', asset: 'USDC', amount: '30000' }]);
      const moves = (preview['entries'] as readonly Body[]).filter(({ kind }) => kind === 'move');
      const gained = moves.find(({ account }) => account === bob.account);
      assert.equal(gained?.['delta'], '970000');
      const sum = moves.reduce((all, { delta }) => all + BigInt(String(delta)), 0n);
      assert.equal(sum, 0n, JSON.stringify(moves));
      assert.deepEqual(await snapshot(world), before);
      assert.deepEqual(await money(bob), ['0', '0', '0']);
      mustOk(await alice.post(`/api/v1/tasks/${id}/accept`, { requester: alice.account }));
      assert.deepEqual(await money(bob), ['970000', '0', '970000']);
    });

    it('spends neither nonce nor idempotencyKey, and signs only itself', async () => {
      const path = `/api/v1/wallet/${alice.account}/pay`;
      const body = { to: world.bob.account, amount: '70', idempotencyKey: 'one' };
      const asked = await alice.signed('POST', path, body, DRY_RUN);
      const again = asked.clone();
      const bare = new Request(asked.clone());
      bare.headers.delete('prefer');
      const before = await snapshot(world);
      const preview = mustPreview(await exchange(asked));
      assert.equal(at(preview, 'answer', 'repeated'), false);
      mustPreview(await exchange(again));
      mustRefuse(await exchange(bare), 401, 'incomplete-coverage');
      assert.deepEqual(await snapshot(world), before);
      const paid = mustOk(await alice.post(path, body));
      assert.equal(paid['repeated'], false);
      assert.equal(at(mustPreview(await tried(path, body)), 'answer', 'repeated'), true);
      const uncovered = await alice.signed('POST', path, body);
      uncovered.headers.set('prefer', 'dry-run');
      const refusal = mustRefuse(await exchange(uncovered), 401, 'incomplete-coverage');
      assert.equal(refusal['field'], 'prefer');
    });

    it('is refused as the call itself would be', async () => {
      const path = `/api/v1/wallet/${alice.account}/pay`;
      const body = { to: world.bob.account, amount: '9000001', idempotencyKey: 'much' };
      mustRefuse(await tried(path, body), 400, 'insufficient-funds');
      const used = await alice.signed('POST', path, { ...body, amount: '1' });
      mustOk(await exchange(used.clone()));
      mustRefuse(await exchange(used), 401, 'replayed');
      const paid = { ...DRY_RUN, 'x-payment': 'e30=' };
      const paying = await alice.signed('POST', path, { ...body, amount: '1' }, paid);
      assert.equal(
        mustRefuse(await exchange(paying), 400, 'bad-request')['field'],
        'header.x-payment',
      );
    });

    it('waits for nothing, and gives the claim that there is', async () => {
      const idle = mustPreview(await tried('/api/v1/tasks/claim?wait=30', {}));
      assert.equal(at(idle, 'answer', 'work'), null);
      await world.fund(world.bob, '2000000');
      const { id } = await publish(world.bob, { acceptance: RULE });
      const got = mustPreview(await tried('/api/v1/tasks/claim?wait=30', {}));
      assert.equal(at(got, 'answer', 'work', 'id'), id);
      assert.equal(mustOk(await world.anyone.get(`/api/v1/tasks/${id}`))['state'], 'open');
    });

    it('stops before the hub would reach out, and says so', async () => {
      const preview = mustPreview(
        await tried('/api/v1/passport/verify', {
          origin: 'https://example.com',
          keyId: alice.keyId,
        }),
      );
      assert.match(String(preview['stopsBefore']), /another server/);
      assert.equal(preview['answer'], undefined);
    });

    it('leaves the database as it is, whichever mutation is tried', async function walk() {
      this.timeout(120_000);
      const { id } = await publish(alice, { acceptance: RULE });
      const own = new Map<string, Body>(special(alice, world, id));
      let answered = 0;
      const before = await snapshot(world);
      for (const operation of MUTATIONS) {
        const { path, body } = own.get(operation.operationId) ?? exampleOf(operation, alice, id);
        const answer = await tried(String(path), body);
        assert.ok(answer.status < 500, `${operation.operationId} ${answer.text}`);
        if (answer.status === 200) {
          mustPreview(answer);
          answered += 1;
        }
        assert.deepEqual(await snapshot(world), before, operation.operationId);
      }
      assert.ok(answered >= 12, `${answered} of ${MUTATIONS.length} were answered`);
    });
  });
}

const MUTATIONS = operations.filter(
  ({ method, raw }) => method === 'POST' && raw['x-auth'] !== 'api-key',
);

/**
 * Calls that this account may make now, where the example of the contract is for another account.
 */
function special(alice: Agent, { bob }: Fixture, id: string): readonly (readonly [string, Body])[] {
  const { account, keyId } = alice;
  const work = { title: 'x', rewardAmount: '10000', acceptance: RULE };
  return [
    ['tasks.publish', { path: '/api/v1/tasks', body: { requester: account, ...work } }],
    ['tasks.cancel', { path: `/api/v1/tasks/${id}/cancel`, body: { requester: account } }],
    [
      'tasks.comment',
      { path: `/api/v1/tasks/${id}/comments`, body: { author: account, body: 'x' } },
    ],
    ['tasks.trial', { path: '/api/v1/trials', body: { account } }],
    [
      'chains.create',
      { path: '/api/v1/chains', body: { requester: account, title: 'c', steps: [work] } },
    ],
    [
      'wallet.pay',
      {
        path: `/api/v1/wallet/${account}/pay`,
        body: { to: bob.account, amount: '5', idempotencyKey: 'walk' },
      },
    ],
    ['wallet.mintApiKey', { path: `/api/v1/wallet/${account}/api-keys`, body: { label: 'x' } }],
    ['passport.create', { path: '/api/v1/passport', body: { keyId, name: 'A' } }],
    [
      'passport.verify',
      { path: '/api/v1/passport/verify', body: { origin: 'https://example.com', keyId } },
    ],
    [
      'memory.createSpace',
      { path: '/api/v1/memory/spaces', body: { owner: account, kind: 'private', name: 'n' } },
    ],
    ['memory.write', { path: '/api/v1/memory', body: { author: account, text: 'A note.' } }],
  ];
}

/** The example of the contract in this account's name. */
function exampleOf({ path, raw }: DeclaredOperation, { account, keyId }: Agent, id: string): Body {
  const given = at(raw, 'requestBody', 'content', 'application/json', 'example');
  const body = typeof given === 'object' && given !== null ? { ...given } : {};
  const [place = '', field = ''] = String(raw['x-owner'] ?? '').split('.');
  if (place === 'body') Object.assign(body, { [field]: account });
  if ('keyId' in body) Object.assign(body, { keyId });
  const parameters = ((raw['parameters'] ?? []) as readonly unknown[]).map((each) =>
    deref<{ readonly name: string; readonly in: string; readonly example?: unknown }>(each),
  );
  const filled = parameters
    .filter((each) => each.in === 'path')
    .reduce((text, { name, example }) => {
      const own = name === 'owner' ? account : name === 'keyId' ? keyId : undefined;
      const task = path.startsWith('/api/v1/tasks/') && name === 'id' ? id : undefined;
      return text.replace(`{${name}}`, String(own ?? task ?? example));
    }, path);
  return { path: filled, body };
}

/** Every table with the number of its rows and the digest of all that is in them. */
async function snapshot({ hub }: Fixture): Promise<Readonly<Record<string, string>>> {
  return hub.running.hub.store.read(async ({ knex }) => {
    const isSqlite = hub.running.hub.store.dialect === 'sqlite';
    const names = isSqlite
      ? await knex('sqlite_master').where('type', 'table').select<Named[]>('name')
      : await knex('pg_tables').where('schemaname', 'public').select<Named[]>('tablename as name');
    const sums: Record<string, string> = {};
    for (const { name: table } of names) {
      if (table.startsWith('sqlite_')) continue;
      const rows = (await knex(table).select()).map((row) => JSON.stringify(row)).sort();
      sums[table] = `${rows.length} ${createHash('sha256').update(rows.join('\n')).digest('hex')}`;
    }
    return sums;
  });
}

interface Named {
  readonly name: string;
}
