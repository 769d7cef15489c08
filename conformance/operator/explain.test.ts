import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessLogKey } from '../../db/operator/accessLogKey.ts';
import { parseAccount } from '../../domain/account.ts';
import { accountDigest } from '../../domain/accountDigest.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { publish, RULE, submit } from '../tasks/_work.ts';
import { hubctl } from './_operator.ts';

const REQUEST = '11111111-2222-4333-8444-555555555555';

hubsOnBothDatabases('hubctl explain', (open) => {
  let world: Fixture;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hub-explain-'));
    world = await open({ env: { HUB_LOG: 'silent' } });
    await world.fund(world.alice, '90000000');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const explain = async (...words: readonly string[]): Promise<string> => {
    const { code, output } = await hubctl([world], 'explain', ...words);
    assert.equal(code, 0, output);
    return output;
  };

  it('shows who did what with a task, why a result was refused, and where its money is', async () => {
    const { alice, bob } = world;
    const { id } = await publish(alice, { acceptance: RULE });
    mustOk(await submit(bob, id, 'not yet'));
    const waiting = await explain(id);
    assert.match(waiting, new RegExp(`^task id ${id}, requester ${alice.account}, state`, 'm'));
    assert.match(waiting, /^hold .*kind .*remaining 1000000, state open$/m);
    assert.match(waiting, new RegExp(`^attempt .*worker ${bob.account}.*state refused`, 'm'));
    assert.match(waiting, /reason "result: expected text/, 'the reason of the rule, cut');
    assert.ok(!waiting.includes('Do it'), 'no text of the task');
  });

  it('shows a transfer with its accounts', async () => {
    const { alice, bob } = world;
    const paid = mustOk(
      await alice.post(`/api/v1/wallet/${alice.account}/pay`, {
        to: bob.account,
        amount: '7',
        idempotencyKey: 'explained',
      }),
    );
    const output = await explain(String(paid['transferId']));
    assert.match(output, new RegExp(`^entry .*account ${alice.account}.*delta -7`, 'm'));
    assert.match(output, new RegExp(`^entry .*account ${bob.account}.*delta 7`, 'm'));
  });

  it('turns the name of an account in the log back, and follows what the request was about', async () => {
    const { alice } = world;
    const { id } = await publish(alice);
    const secret = await world.hub.running.hub.store.decide(
      accessLogKey(() => assert.fail('the hub has made it')),
    );
    const account = accountDigest(secret)(parseAccount(alice.account) ?? assert.fail());
    const line = { level: 30, time: 1_790_000_000_000, requestId: REQUEST, method: 'POST' };
    const answer = { operation: 'tasks.publish', status: 400, code: 'insufficient-funds', ms: 3 };
    const text = JSON.stringify({ ...line, ...answer, account, ids: [id], msg: 'request' });
    const log = join(folder, 'hub.log');
    writeFileSync(log, `not JSON\n{"requestId":"other"}\n${text}\n{"memo":"${REQUEST}"}\n`);
    const output = await explain(REQUEST, '--log', log);
    assert.match(
      output,
      new RegExp(
        `^log .*tasks.publish answered 400 refused insufficient-funds.*by ${alice.account}`,
      ),
    );
    assert.match(output, new RegExp(`^task id ${id}`, 'm'));
    assert.equal(output.match(/^log /gm)?.length, 1);
    assert.match(await explain(alice.account, '--log', log), /karma[^]*^log /m);
  });

  it('says what it does not know, and takes no log that is not there', async () => {
    const unknown = await hubctl([world], 'explain', 'x\u001b[31m');
    assert.equal(unknown.code, 1);
    assert.match(unknown.output, /No task, transfer or account[^]*--log -/);
    assert.ok(!unknown.output.includes('\u001b'));
    assert.equal((await hubctl([world], 'explain', REQUEST, '--log', '/nowhere')).code, 2);
    assert.equal((await hubctl([world], 'explain')).code, 2);
  });
});

describe('the page /admin', () => {
  it('takes a few wrong passwords of an address, and then none of it', async () => {
    const token = 'an admin token that is long';
    const world = await openFixture({
      env: { HUB_ADMIN_TOKEN: token, HUB_LOG: 'silent', HUB_RATE_LIMITS: 'true' },
    });
    try {
      const guess = async (password?: string): Promise<number> => {
        const headers = password === undefined ? {} : { authorization: `Bearer ${password}` };
        return (await fetch(`${world.hub.url}/admin`, { headers })).status;
      };
      for (let n = 0; n < 30; n += 1) assert.equal(await guess(), 401, 'it only asks');
      for (let n = 0; n < 20; n += 1) assert.equal(await guess(`wrong ${n}`), 401);
      assert.deepEqual([await guess('wrong'), await guess(token)], [429, 429]);
      world.hub.clock.advance(3_600);
      assert.equal(await guess(token), 200);
      mustRefuse(await world.anyone.get('/api/v1/nowhere'), 404, 'no-route');
    } finally {
      await world.close();
    }
  });
});
