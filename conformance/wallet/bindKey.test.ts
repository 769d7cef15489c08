import assert from 'node:assert/strict';
import { joinAccount, type Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { walletPath } from './_signed.ts';

describe('wallet.bindKey', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const keysPath = (agent: Agent): string => `${walletPath(agent)}/keys`;
  const listed = async (owner: Agent): Promise<readonly Record<string, unknown>[]> =>
    mustOk(await owner.get(keysPath(owner)))['keys'] as readonly Record<string, unknown>[];
  const stateOf = async (owner: Agent, key: Agent): Promise<unknown> =>
    (await listed(owner)).find((each) => each['publicKey'] === key.keyId)?.['state'];

  describe("the account's own key", () => {
    it('is bound at once, unsigned, with its label', async () => {
      const agent = await world.agent();
      const body = { publicKey: agent.keyId, label: 'laptop' };
      const key = mustOk(await world.anyone.post(keysPath(agent), body));
      assert.deepEqual(
        [key['owner'], key['publicKey'], key['state'], key['label'], key['next']],
        [agent.account, agent.keyId, 'bound', 'laptop', []],
      );
      assert.equal(key['boundBy'], undefined);
    });

    it('needs no binding: the first signed request binds it', async () => {
      const agent = await world.agent();
      assert.deepEqual(
        (await listed(agent)).map((key) => [key['publicKey'], key['state']]),
        [[agent.keyId, 'bound']],
      );
    });
  });

  describe('a second key', () => {
    it('named without a signature is pending and has no authority', async () => {
      const [owner, second] = [await world.agent(), await world.agent()];
      const body = { publicKey: second.keyId, label: 'server' };
      const key = mustOk(await world.anyone.post(keysPath(owner), body));
      assert.equal(key['state'], 'pending');
      assert.equal(key['boundAt'], undefined);
      assert.deepEqual(at(key, 'next', 0, 'call'), { method: 'POST', path: keysPath(owner), body });
      assert.equal(await stateOf(owner, second), 'pending');
      mustRefuse(await second.get(walletPath(owner)), 401, 'wrong-owner');
    });

    it('is bound by the request that the pending answer names, signed by both', async () => {
      const [owner, second] = [await world.agent(), await world.agent()];
      const body = { publicKey: second.keyId, label: 'server' };
      const asked = mustOk(await world.anyone.post(keysPath(owner), body));
      world.hub.clock.advance(60);
      const whos = [at(asked, 'next', 0, 'who'), at(asked, 'next', 1, 'who')];
      assert.deepEqual(whos, [owner.account, second.account]);
      const [next, other] = [at(asked, 'next', 0, 'call'), at(asked, 'next', 1, 'call')];
      const half = mustOk(await second.post(String(at(other, 'path')), at(other, 'body')));
      assert.deepEqual([half['state'], half['signedBy']], ['pending', ['key']]);
      const key = mustOk(await owner.post(String(at(next, 'path')), at(next, 'body')));
      assert.deepEqual(
        [key['state'], key['label'], key['boundBy']],
        ['bound', 'server', owner.keyId],
      );
      assert.equal(key['requestedAt'], asked['requestedAt'], 'when it was first named');
      assert.equal(
        Date.parse(String(key['boundAt'])) - Date.parse(String(key['requestedAt'])),
        60_000,
      );
      assert.equal(mustOk(await second.get('/api/v1/me'))['owner'], owner.account);
    });

    it('is bound when both have signed, and then signs for the account', async () => {
      const [owner, second, third] = [
        await world.agent(),
        await world.agent(),
        await world.agent(),
      ];
      await world.fund(owner, '5000');
      const bound = mustOk(await joinAccount(owner, second));
      assert.ok(String(bound['requestedAt']) <= String(bound['boundAt']), 'named, then bound');
      assert.equal(mustOk(await second.get(walletPath(owner)))['balance'], '5000');
      const last = mustOk(await joinAccount(second, third, owner.account));
      assert.deepEqual([bound['boundBy'], last['boundBy']], [owner.keyId, second.keyId]);
      mustOk(
        await third.post(`${walletPath(owner)}/pay`, {
          to: world.bob.account,
          amount: '1',
          idempotencyKey: 'by the third key',
        }),
      );
      mustRefuse(await second.get(walletPath(second)), 401, 'wrong-owner');
    });

    it('does not show another account who bound it', async () => {
      const [owner, second] = [await world.agent(), await world.agent()];
      const body = { publicKey: second.keyId };
      mustOk(await joinAccount(owner, second));
      const reported = mustOk(await world.anyone.post(keysPath(owner), body));
      assert.deepEqual([reported['state'], reported['boundBy']], ['bound', undefined]);
    });

    it('is dropped after a day without a confirmation', async () => {
      const [owner, second] = [await world.agent(), await world.agent()];
      mustOk(await world.anyone.post(keysPath(owner), { publicKey: second.keyId }));
      world.hub.clock.advance(86_399);
      assert.equal(await stateOf(owner, second), 'pending');
      world.hub.clock.advance(1);
      assert.equal(await stateOf(owner, second), undefined);
    });

    it('named again keeps its first time', async () => {
      const [owner, second] = [await world.agent(), await world.agent()];
      const body = { publicKey: second.keyId };
      const first = mustOk(await world.anyone.post(keysPath(owner), body));
      world.hub.clock.advance(60);
      const again = mustOk(await world.anyone.post(keysPath(owner), body));
      assert.deepEqual(again, first);
    });

    it('may wait in five places of an account, and a flood does not stop the owner', async () => {
      const owner = await world.agent();
      for (let count = 0; count < 5; count += 1) {
        const { keyId } = await world.agent();
        mustOk(await world.anyone.post(keysPath(owner), { publicKey: keyId }));
      }
      const last = await world.agent();
      const sixth = { publicKey: last.keyId };
      mustRefuse(await world.anyone.post(keysPath(owner), sixth), 400, 'ceiling-reached');
      assert.equal(mustOk(await owner.post(keysPath(owner), sixth))['state'], 'pending');
      assert.equal(mustOk(await last.post(keysPath(owner), sixth))['state'], 'bound');
    });

    it('finds room until the account has 200', async () => {
      const owner = await world.agent();
      mustOk(await owner.get(keysPath(owner)));
      const add = async () => joinAccount(owner, await world.agent());
      for (let count = 1; count < 200; count += 1) mustOk(await add());
      mustRefuse(await add(), 400, 'ceiling-reached');
      assert.equal((await listed(owner)).length, 200, 'and the last one waits nowhere');
    });

    it('is refused when it is of another account, signed or not', async () => {
      const [owner, other] = [await world.agent(), await world.agent()];
      await world.fund(other, '1');
      const body = { publicKey: other.keyId };
      mustRefuse(await world.anyone.post(keysPath(owner), body), 400, 'key-bound');
      mustRefuse(await owner.post(keysPath(owner), body), 400, 'key-bound');
    });

    it('stays with its own account when it was paid before it ever signed', async () => {
      const [thief, payee] = [await world.agent(), await world.agent()];
      await world.fund(payee, '700');
      const body = { publicKey: payee.keyId };
      mustRefuse(await thief.post(keysPath(thief), body), 400, 'key-bound');
      assert.equal(mustOk(await payee.get(walletPath(payee)))['balance'], '700');
    });

    it("cannot be confirmed by another account's signature", async () => {
      const [owner, second, stranger] = [
        await world.agent(),
        await world.agent(),
        await world.agent(),
      ];
      const body = { publicKey: second.keyId };
      mustOk(await world.anyone.post(keysPath(owner), body));
      mustRefuse(await stranger.post(keysPath(owner), body), 401, 'wrong-owner');
      assert.equal(await stateOf(owner, second), 'pending');
    });

    it('may be pending in two accounts; binding it in one drops it in the other', async () => {
      const [one, two, key] = [await world.agent(), await world.agent(), await world.agent()];
      const body = { publicKey: key.keyId };
      mustOk(await world.anyone.post(keysPath(one), body));
      mustOk(await world.anyone.post(keysPath(two), body));
      mustOk(await joinAccount(two, key));
      assert.equal(await stateOf(one, key), undefined);
      mustRefuse(await one.post(keysPath(one), body), 400, 'key-bound');
    });
  });

  describe('a label', () => {
    it('is given unsigned to a key that has none, and never replaced so', async () => {
      const agent = await world.agent();
      mustOk(await agent.get(walletPath(agent)));
      const name = (label: string) =>
        world.anyone.post(keysPath(agent), { publicKey: agent.keyId, label });
      assert.equal(mustOk(await name('first'))['label'], 'first');
      assert.equal(mustOk(await name('first'))['label'], 'first', 'a retry is no relabelling');
      mustRefuse(await name('second'), 401, 'unsigned');
      assert.equal((await listed(agent))[0]?.['label'], 'first');
    });

    it('is changed by a signature', async () => {
      const agent = await world.agent();
      for (const label of ['old', 'new']) {
        const body = { publicKey: agent.keyId, label };
        assert.equal(mustOk(await agent.post(keysPath(agent), body))['label'], label);
      }
    });

    it('is not shown to a caller who does not know it', async () => {
      const agent = await world.agent();
      const body = { publicKey: agent.keyId };
      mustOk(await agent.post(keysPath(agent), { ...body, label: 'secret plan' }));
      assert.equal(mustOk(await world.anyone.post(keysPath(agent), body))['label'], undefined);
    });
  });

  for (const owner of ['hub:fees', `evm:0x${'00'.repeat(20)}`]) {
    it(`refuses keys for ${owner}`, async () => {
      const body = { publicKey: world.alice.keyId };
      mustRefuse(await world.anyone.post(`/api/v1/wallet/${owner}/keys`, body), 400, 'bad-account');
    });
  }

  const noKeys: readonly [what: string, publicKey: unknown][] = [
    ['letters that base58 has not', '0OIl0OIl0OIl0OIl0OIl0OIl0OIl0OIl0OIl0OIl'],
    ['too few bytes', '1111'],
    ['an account name', `key:${'1'.repeat(32)}`],
    ['a number', 7],
    ['a key of small order, under which one signature fits every message', '1'.repeat(32)],
    ['the key whose private half RFC 9421 prints', '3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt'],
  ];
  for (const [what, publicKey] of noKeys) {
    it(`refuses ${what}`, async () => {
      const answer = await world.anyone.post(keysPath(world.alice), { publicKey });
      mustRefuse(answer, 400, 'bad-account');
    });
  }

  it('takes a signed request once', async () => {
    const { alice, anyone } = world;
    const request = await alice.signed('POST', keysPath(alice), { publicKey: alice.keyId });
    mustOk(await anyone.send(request.clone()));
    mustRefuse(await anyone.send(request), 401, 'replayed');
  });
});
