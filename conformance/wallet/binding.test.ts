import assert from 'node:assert/strict';
import { joinAccount, newAgent, type Agent, type Answer } from '../harness/agents.ts';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { publishPaid } from './_work.ts';
import { walletPath } from './_signed.ts';

/**
 * No account gets a key that did not sign, and none takes an account's place for a key
 * (threats.key-hijack). Everything on both databases, since the database decides who was first.
 */
const START_MS_MAX = 30_000;
const DAY_SECONDS = 86_400;
const STRANGERS = 1_000;
for (const [name, url] of DATABASES) {
  describe(`binding a key (${name})`, () => {
    let world: Fixture;
    before(async function start() {
      this.timeout(START_MS_MAX);
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '1000000');
    });
    after(() => world.close());

    const keysPath = (owner: Agent): string => `${walletPath(owner)}/keys`;
    const two = async (): Promise<readonly [Agent, Agent]> => [
      await world.agent(),
      await world.agent(),
    ];
    const sign = (by: Pick<Agent, 'post'>, owner: Agent, key: Agent): Promise<Answer> =>
      by.post(keysPath(owner), { publicKey: key.keyId });
    const ownerOf = async (agent: Agent): Promise<unknown> =>
      mustOk(await agent.get('/api/v1/me'))['owner'];
    const comment = (taskId: string, author: Agent): Promise<Answer> =>
      author.post(`/api/v1/tasks/${taskId}/comments`, { author: author.account, body: 'Hello.' });
    const pay = (from: Agent, to: Agent): Promise<Answer> =>
      from.post(`${walletPath(from)}/pay`, {
        to: to.account,
        amount: '700',
        idempotencyKey: `pay-${to.keyId}`,
      });

    describe('needs both signatures', () => {
      it("takes no other key on the account's signature alone", async () => {
        const [thief, victim] = await two();
        const half = mustOk(await sign(thief, thief, victim));
        assert.deepEqual([half['state'], half['signedBy']], ['pending', ['account']]);
        await world.fund(world.bob, '1000');
        mustOk(await pay(world.bob, victim));
        assert.equal(mustOk(await victim.get(walletPath(victim)))['balance'], '700');
        mustRefuse(await thief.get(walletPath(victim)), 401, 'wrong-owner');
        mustRefuse(await sign(victim, thief, victim), 400, 'key-bound');
        assert.equal(await ownerOf(victim), victim.account);
      });

      it('freezes no payout address that a public page shows', async () => {
        const [thief, payee] = await two();
        const task = await publishPaid(world.alice);
        const worker = await world.agent();
        const claim = { agentId: worker.account, payee: payee.account };
        mustOk(await worker.post(`/api/v1/tasks/${task}/claim`, claim));
        mustRefuse(await sign(thief, thief, payee), 400, 'key-bound');
        await world.fund(payee, '5');
        assert.equal(mustOk(await payee.get(walletPath(payee)))['balance'], '5');
      });

      it("gives nothing on the new key's signature alone", async () => {
        const [owner, stranger] = await two();
        await world.fund(owner, '5000');
        const half = mustOk(await sign(stranger, owner, stranger));
        assert.deepEqual([half['state'], half['signedBy']], ['pending', ['key']]);
        mustRefuse(await stranger.get(walletPath(owner)), 401, 'wrong-owner');
        mustRefuse(
          await stranger.post(keysPath(owner), { publicKey: owner.keyId }),
          401,
          'wrong-owner',
        );
        assert.equal(await ownerOf(stranger), stranger.account);
      });

      it('joins in either order, and says who is still to sign', async () => {
        for (const order of ['account', 'key'] as const) {
          const [owner, key] = await two();
          const sides = order === 'account' ? [owner, key] : [key, owner];
          const [first = owner, second = key] = sides;
          const half = mustOk(await sign(first, owner, key));
          assert.equal(at(half, 'next', 0, 'who'), second.account);
          const call = at(half, 'next', 0, 'call');
          const whole = mustOk(await second.post(String(at(call, 'path')), at(call, 'body')));
          assert.deepEqual([whole['state'], whole['boundBy']], ['bound', owner.keyId]);
          assert.equal(await ownerOf(key), owner.account);
        }
      });

      it('takes no signature for another account, and no replay', async () => {
        const [owner, other] = await two();
        const key = await world.agent();
        const request = await key.signed('POST', keysPath(other), { publicKey: key.keyId });
        mustOk(await key.send(request.clone()));
        mustRefuse(await key.send(request), 401, 'replayed');
        assert.equal(mustOk(await sign(owner, owner, key))['state'], 'pending');
        const elsewhere = new Request(new URL(keysPath(owner), world.hub.url), {
          method: 'POST',
          headers: request.headers,
          body: JSON.stringify({ publicKey: key.keyId }),
        });
        mustRefuse(await key.send(elsewhere), 401, 'unknown-key');
        assert.equal(await ownerOf(key), key.account);
      });

      it('counts a signature for 24 hours of the hub, to the second', async () => {
        for (const [seconds, state] of [
          [DAY_SECONDS - 1, 'bound'],
          [DAY_SECONDS, 'pending'],
        ] as const) {
          for (const byKey of [true, false]) {
            const [owner, key] = await two();
            mustOk(await sign(byKey ? key : owner, owner, key));
            world.hub.clock.advance(seconds);
            const other = mustOk(await sign(byKey ? owner : key, owner, key));
            assert.equal(other['state'], state);
          }
        }
      });
    });

    describe('burns nothing', () => {
      it('refusals and reads of a pending key burn nothing', async () => {
        const [owner, key] = await two();
        const task = await publishPaid(world.alice);
        mustOk(await sign(owner, owner, key));
        mustRefuse(await key.get(walletPath(owner)), 401, 'wrong-owner');
        mustRefuse(await key.get('/api/v1/me?no-such-name=1'), 400, 'bad-request');
        mustRefuse(await pay(key, world.bob), 400, 'insufficient-funds');
        const cancel = { requester: key.account };
        mustRefuse(await key.post(`/api/v1/tasks/${task}/cancel`, cancel), 400, 'not-a-party');
        assert.equal(await ownerOf(key), key.account);
        assert.equal(mustOk(await sign(key, owner, key))['state'], 'bound');
        assert.equal(await ownerOf(key), owner.account);
      });

      it('unsigned requests in the name of the key itself burn nothing', async () => {
        const [owner, key] = await two();
        mustOk(await sign(world.anyone, key, key));
        assert.equal(mustOk(await joinAccount(owner, key))['state'], 'bound');
      });

      it(`${STRANGERS} unsigned requests burn nothing`, async function flood() {
        this.timeout(120_000);
        const [owner, key] = await two();
        const codes = new Set<unknown>();
        for (let sent = 0; sent < STRANGERS; sent += 50) {
          const keys = await Promise.all(Array.from({ length: 50 }, () => newAgent(world.hub)));
          const answers = await Promise.all(keys.map((each) => sign(world.anyone, owner, each)));
          for (const { status, body } of answers) codes.add(status === 200 ? 200 : body['code']);
        }
        assert.deepEqual(codes, new Set([200, 'ceiling-reached']));
        const refused = mustRefuse(await sign(world.anyone, owner, key), 400, 'ceiling-reached');
        assert.match(String(refused['hint']), /with a key of the account, or with the new key/);
        assert.equal(mustOk(await joinAccount(owner, key))['state'], 'bound');
      });

      it('other accounts that sign for keys of their own burn nothing', async () => {
        const [owner, key] = await two();
        for (let count = 0; count < 60; count += 1) {
          const stranger = await world.agent();
          mustOk(await sign(stranger, owner, stranger));
        }
        mustOk(await sign(key, owner, key));
        assert.equal(mustOk(await sign(owner, owner, key))['state'], 'bound');
        assert.equal(mustOk(await owner.get(keysPath(owner)))['count'], 52, 'two keys, 50 shown');
      });

      it('a key that asks many accounts burns nothing; the sixth waits', async () => {
        const key = await world.agent();
        for (let count = 0; count < 5; count += 1) {
          mustOk(await sign(key, await world.agent(), key));
        }
        const [sixth] = await two();
        mustRefuse(await sign(key, sixth, key), 400, 'ceiling-reached');
        world.hub.clock.advance(DAY_SECONDS);
        assert.equal(mustOk(await joinAccount(sixth, key))['state'], 'bound');
      });

      it('shows another account neither the label nor who has signed', async () => {
        const [owner, key] = await two();
        const body = { publicKey: key.keyId, label: 'secret plan' };
        mustOk(await owner.post(keysPath(owner), body));
        const reported = mustOk(await sign(world.anyone, owner, key));
        assert.deepEqual([reported['signedBy'], reported['label']], [[], undefined]);
        const known = mustOk(await owner.get(keysPath(owner)))['keys'];
        assert.deepEqual(
          [at(known, 1, 'signedBy'), at(known, 1, 'label')],
          [['account'], 'secret plan'],
        );
      });
    });

    describe('leaves a key with its own account', () => {
      const uses: readonly [what: string, use: (key: Agent) => Promise<unknown>][] = [
        ['that acted', async (key) => mustOk(await comment(await publishPaid(world.alice), key))],
        [
          'that was paid',
          async (key) => {
            await world.fund(world.bob, '1000');
            mustOk(await pay(world.bob, key));
          },
        ],
        ['that the faucet gave to', (key) => world.fund(key, '1')],
        [
          'that has a passport',
          async (key) => mustOk(await key.post('/api/v1/passport', { keyId: key.keyId })),
        ],
        [
          'that another key joined',
          async (key) => mustOk(await joinAccount(key, await world.agent())),
        ],
      ];
      for (const [what, use] of uses) {
        it(what, async () => {
          const [owner, key] = await two();
          mustOk(await sign(owner, owner, key));
          await use(key);
          for (const by of [key, owner, world.anyone]) {
            const refused = mustRefuse(await sign(by, owner, key), 400, 'key-bound');
            assert.match(String(refused['error']), /keeps its own account/);
            assert.match(String(refused['hint']), /Make a new key, and have it sign this request/);
          }
          assert.equal(await ownerOf(key), key.account);
          assert.equal(mustOk(await joinAccount(owner, await world.agent()))['state'], 'bound');
        });
      }
    });

    it('leaves no money of the faucet on an account without a signing key', async () => {
      const [owner, key] = await two();
      mustOk(await joinAccount(owner, key));
      const body = { amount: '10', idempotencyKey: `faucet-${key.keyId}` };
      const refused = mustRefuse(
        await world.anyone.post(`${walletPath(key)}/credit`, body),
        400,
        'bad-account',
      );
      assert.equal(refused['field'], 'path.owner');
      const named = /Name (key:\S+) in its place/.exec(String(refused['hint']))?.[1];
      assert.equal(named, owner.account);
      mustOk(await world.anyone.post(`/api/v1/wallet/${named}/credit`, body));
      assert.equal(mustOk(await key.get(walletPath(owner)))['balance'], '10');
    });

    it('asks for no key of an account without a signing key', async () => {
      const [owner, key] = await two();
      mustOk(await joinAccount(owner, key));
      const third = await world.agent();
      const refused = mustRefuse(await sign(third, key, third), 400, 'bad-account');
      assert.equal(refused['hint']?.toString().includes(owner.account), true);
    });
  });
}
