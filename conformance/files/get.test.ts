import assert from 'node:assert/strict';
import { generateKey } from '../../clients/typescript/sign.ts';
import { agentWith } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { costOf } from '../memory/space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { bytesOf, filePath, FILES, putFile, sha256Of } from './file.ts';

hubsOnBothDatabases('files.get', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
    await world.fund(world.alice, '1000000');
  });

  it('costs 10 units and 10 a started megabyte, each time', async () => {
    const { alice } = world;
    for (const [bytes, price] of [
      [0, 10n],
      [1, 20n],
      [1_048_577, 30n],
    ] as const) {
      const content = bytesOf(bytes, bytes + 1);
      const key = `cost/${bytes}`;
      mustOk(await putFile(alice, key, content));
      for (let times = 0; times < 2; times += 1) {
        const cost = await costOf(alice, async () => {
          const got = mustOk(await alice.get(filePath(alice, key)));
          const { owner, sha256, contentBase64 } = got;
          assert.deepEqual([owner, got['key'], got['bytes']], [alice.account, key, bytes]);
          assert.equal(sha256, sha256Of(content));
          assert.equal(contentBase64, content.toString('base64'));
          assert.equal(at(got, 'charge', 'amount'), `${price}`);
        });
        assert.equal(cost, price);
      }
    }
  });

  it('is never a page: its type is JSON, nosniff, as an attachment, whatever it holds', async () => {
    const { alice } = world;
    mustOk(await putFile(alice, 'page.html', '<script>alert(1)</script>'));
    const request = await alice.signed('GET', filePath(alice, 'page.html'));
    const asked = new Request(request, { headers: [...request.headers, ['accept', 'text/html']] });
    const answer = await alice.send(asked);
    mustOk(answer);
    assert.equal(answer.headers.get('content-type'), 'application/json');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('content-disposition'), 'attachment');
    assert.ok(!answer.text.includes('<script>'));
  });

  it('refuses other owners, unknown keys, paths that leave, and the poor', async () => {
    const { alice, bob } = world;
    mustOk(await putFile(alice, 'private', 'mine'));
    mustRefuse(await bob.get(filePath(alice, 'private')), 401, 'wrong-owner');
    mustRefuse(await bob.get(filePath(bob, 'private')), 404, 'not-found');
    mustRefuse(await world.anyone.get(filePath(alice, 'private')), 401, 'unsigned');
    mustRefuse(await alice.get(filePath(alice, 'nothing')), 404, 'not-found');
    mustRefuse(
      await alice.get(`${FILES}/${alice.account}/..%2F..%2Fetc%2Fpasswd`),
      400,
      'bad-path',
    );
    mustRefuse(await alice.get(filePath(alice, 'k'.repeat(1000))), 400, 'bad-path');
    const path = filePath(alice, 'private');
    mustRefuse(await alice.get(`${path}?network=play`), 400, 'network-refused');
    mustRefuse(await alice.get(`${path}?network=moon`), 400, 'network-unknown');
    const poor = await world.agent();
    await world.fund(poor, '120');
    mustOk(await putFile(poor, 'k', 'x'));
    const refused = mustRefuse(await poor.get(filePath(poor, 'k')), 400, 'insufficient-funds');
    assert.match(String(refused['error']), /needs 20 /);
  });

  it('costs nothing by HEAD, which gets no file and is no method of a path that charges', async () => {
    const { alice } = world;
    mustOk(await putFile(alice, 'asked', 'x'));
    const path = filePath(alice, 'asked');
    const cost = await costOf(alice, async () => {
      const asked = await alice.send(await alice.signed('HEAD', path));
      assert.deepEqual([asked.status, asked.headers.get('allow')], [405, 'GET, OPTIONS']);
    });
    assert.equal(cost, 0n);
    const list = await alice.send(await alice.signed('HEAD', `${FILES}/${alice.account}`));
    assert.equal(list.status, 200);
  });

  it('is read from every process that shares the store', async () => {
    const other = await open({ clock: world.hub.clock });
    const key = await generateKey();
    const [here, there] = [agentWith(world.hub, key), agentWith(other.hub, key)];
    await world.fund(here, '1000');
    const content = bytesOf(100_000, 8);
    mustOk(await putFile(here, 'everywhere', content));
    const got = mustOk(await there.get(filePath(there, 'everywhere')));
    assert.equal(got['sha256'], sha256Of(content));
  });
});
