import assert from 'node:assert/strict';
import type { Account } from '../../domain/account.ts';
import { openAnswerOnce } from '../../server/dispatch/answerOnce.ts';
import type { AnyReply } from '../../server/http/wire.ts';
import { exchange, type Agent, type Answer } from '../harness/agents.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import type { Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { publish } from '../tasks/_work.ts';
import { walletPath } from '../wallet/_signed.ts';

const DAY = 86_400;
type Body = Readonly<Record<string, unknown>>;

async function under(by: Agent, key: string, path: string, body: Body): Promise<Answer> {
  return by.send(await by.signed('POST', path, body, { 'idempotency-key': key }));
}

/** The header `Idempotency-Key` (choices ledger.idempotency). */
hubsOnBothDatabases('the header Idempotency-Key', (open) => {
  let world: Fixture;
  let task = '';
  let comments = '';
  before(async () => {
    world = await open();
    await world.fund(world.alice, '9000000');
    task = (await publish(world.alice, {})).id;
    comments = `/api/v1/tasks/${task}/comments`;
  });

  const say = (by: Agent, key: string, body: string): Promise<Answer> =>
    under(by, key, comments, { author: by.account, body });
  const count = async (): Promise<unknown> =>
    mustOk(await world.anyone.get(`/api/v1/tasks/${task}`))['comments'];

  it('makes a comment once, in quotes or without, and for each account by itself', async () => {
    const { alice, bob } = world;
    const first = mustOk(await say(alice, 'one', 'Ready?'));
    assert.deepEqual(mustOk(await say(alice, 'one', 'Ready?')), first);
    assert.deepEqual(mustOk(await say(alice, '"one"', 'Ready?')), first);
    assert.notEqual(mustOk(await say(bob, 'one', 'Ready?'))['id'], first['id']);
    assert.notEqual(mustOk(await say(alice, 'two', 'Ready?'))['id'], first['id']);
    assert.equal(await count(), 3);
  });

  it('refuses another body or another task under a used key', async () => {
    const { alice } = world;
    mustOk(await say(alice, 'deal', 'Yes.'));
    mustRefuse(await say(alice, 'deal', 'No.'), 400, 'idempotency-mismatch');
    const { id } = await publish(alice, {});
    const body = { author: alice.account, body: 'Yes.' };
    const other = await under(alice, 'deal', `/api/v1/tasks/${id}/comments`, body);
    mustRefuse(other, 400, 'idempotency-mismatch');
  });

  it('stays unused by a call that was refused', async () => {
    const { alice } = world;
    const wrong = { author: alice.account, body: 'Here.', parentId: task };
    mustRefuse(await under(alice, 'late', comments, wrong), 404, 'not-found');
    mustOk(await say(alice, 'late', 'Here.'));
  });

  it('makes one of twenty calls at once', async () => {
    const before = Number(await count());
    const calls = Array.from({ length: 20 }, () => say(world.alice, 'crowd', 'Once.'));
    const answers = (await Promise.all(calls)).map((each) => mustOk(each)['id']);
    assert.equal(new Set(answers).size, 1);
    assert.equal(await count(), before + 1);
  });

  it('is another place of idempotencyKey, and equal to it where both are there', async () => {
    const { alice, bob } = world;
    const path = `${walletPath(alice)}/pay`;
    const body = { to: bob.account, amount: '1000' };
    const paid = mustOk(await under(alice, 'pay-1', path, body));
    assert.equal(paid['repeated'], false);
    const again = mustOk(await alice.post(path, { ...body, idempotencyKey: 'pay-1' }));
    assert.deepEqual(again, { ...paid, repeated: true });
    mustOk(await under(alice, 'pay-1', path, { ...body, idempotencyKey: 'pay-1' }));
    const two = await under(alice, 'pay-2', path, { ...body, idempotencyKey: 'pay-1' });
    assert.match(String(mustRefuse(two, 400, 'bad-request')['error']), /another key/);
  });

  it('has 1 to 128 printable characters', async () => {
    for (const key of ['', '""', 'k'.repeat(129), 'a\tb']) {
      const refused = mustRefuse(await say(world.alice, key, 'Hm.'), 400, 'bad-request');
      assert.equal(refused['field'], 'header.idempotency-key');
    }
    mustOk(await say(world.alice, 'k'.repeat(128), 'Hm.'));
  });

  it('is covered by the signature, so that no interceptor can change or drop it', async () => {
    const { alice } = world;
    const body = { author: alice.account, body: 'Covered.' };
    const bare = await alice.signed('POST', comments, body);
    bare.headers.set('idempotency-key', 'added');
    const added = mustRefuse(await exchange(bare), 401, 'incomplete-coverage');
    assert.equal(added['field'], 'idempotency-key');
    const changed = await alice.signed('POST', comments, body, { 'idempotency-key': 'mine' });
    changed.headers.set('idempotency-key', 'theirs');
    mustRefuse(await exchange(changed), 401, 'unknown-key');
    const dropped = await alice.signed('POST', comments, body, { 'idempotency-key': 'mine' });
    dropped.headers.delete('idempotency-key');
    mustRefuse(await exchange(dropped), 401, 'incomplete-coverage');
  });

  it('does nothing in an unsigned call, which is safe to send again', async () => {
    const { anyone, hub } = world;
    const asked = new Request(`${hub.url}/api/v1/passport/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'x' },
      body: JSON.stringify({ origin: 'http://127.0.0.1:9' }),
    });
    assert.equal((await anyone.send(asked.clone())).status, (await anyone.send(asked)).status);
  });

  it('is not used up by a trial', async () => {
    const { alice } = world;
    const body = { author: alice.account, body: 'Tried.' };
    const headers = { prefer: 'dry-run', 'idempotency-key': 'tried' };
    assert.equal(
      (await alice.send(await alice.signed('POST', comments, body, headers))).status,
      200,
    );
    const before = Number(await count());
    mustOk(await say(alice, 'tried', 'Tried.'));
    assert.equal(await count(), before + 1);
  });

  it('shows the secrets of a call again for ten minutes, and the database has none', async () => {
    const { alice, hub } = world;
    const minting = (): Promise<Answer> =>
      under(alice, 'mint', `${walletPath(alice)}/api-keys`, { label: 'x' });
    const hooking = (): Promise<Answer> =>
      under(alice, 'hook', '/api/v1/me/webhooks', { url: 'https://hook.example.com/a' });
    const [key, hook] = [mustOk(await minting()), mustOk(await hooking())];
    hub.clock.advance(600);
    assert.deepEqual([mustOk(await minting()), mustOk(await hooking())], [key, hook]);
    const rows = await hub.running.hub.store.read((db) => db.knex('idempotency'));
    for (const secret of [key['key'], hook['secret']]) {
      assert.ok(!JSON.stringify(rows).includes(String(secret).slice(10)));
    }
    hub.clock.advance(1);
    const { key: _, ...bareKey } = key;
    const { secret: __, ...bareHook } = hook;
    assert.deepEqual([mustOk(await minting()), mustOk(await hooking())], [bareKey, bareHook]);
  });

  it('refuses a second call while the first reaches out, and another hub answers the first', async () => {
    const { store } = world.hub.running.hub;
    const parts = { store, clock: world.hub.clock };
    const key = {
      account: world.alice.account as Account,
      operation: 'webhooks.test',
      key: 'slow',
      digest: '1',
    };
    let end = (_: AnyReply): void => undefined;
    const slow = new Promise<AnyReply>((resolve) => (end = resolve));
    const [here, there] = [openAnswerOnce(), openAnswerOnce()];
    const reply = (n: number): Promise<AnyReply> => Promise.resolve({ status: 200, body: { n } });
    const first = here(parts, key, () => slow);
    await assert.rejects(
      here(parts, key, () => reply(2)),
      { code: 'call-under-way' },
    );
    assert.deepEqual((await there(parts, key, () => reply(3))).body, { n: 3 });
    end(await reply(1));
    assert.deepEqual((await first).body, { n: 3 });
    assert.deepEqual((await here(parts, key, () => reply(4))).body, { n: 3 });
    const other = { ...key, digest: '2' };
    await assert.rejects(
      here(parts, other, () => reply(5)),
      { code: 'idempotency-mismatch' },
    );
  });

  it('is kept for a day, and that of a payment for a year', async () => {
    const { alice, bob, hub } = world;
    const pay = (): Promise<Answer> =>
      under(alice, 'kept', `${walletPath(alice)}/pay`, { to: bob.account, amount: '7' });
    const [first, paid] = [mustOk(await say(alice, 'kept', 'A day.')), mustOk(await pay())];
    hub.clock.advance(DAY);
    await hub.runJob('housekeeping');
    assert.deepEqual(mustOk(await say(alice, 'kept', 'A day.')), first);
    hub.clock.advance(1);
    await hub.runJob('housekeeping');
    assert.notEqual(mustOk(await say(alice, 'kept', 'A day.'))['id'], first['id']);
    assert.equal(mustOk(await pay())['transferId'], paid['transferId']);
  });
});
