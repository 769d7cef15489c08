import assert from 'node:assert/strict';
import type { Agent, Answer } from '../harness/agents.ts';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

/**
 * Many requests at once over HTTP, on both databases. The books are replayed by the auditor when
 * each world closes.
 */
const START_MS_MAX = 30_000;
for (const [name, url] of DATABASES) {
  describe(`races (${name})`, () => {
    let world: Fixture;
    let keys = 0;
    before(async function start() {
      this.timeout(START_MS_MAX);
      world = await openFixture({ databaseUrl: await url() });
    });
    after(() => world.close());

    it('50 payments on a balance for 10 pass exactly 10', async () => {
      const [payer, receiver] = [await world.agent(), await world.agent()];
      await world.fund(payer, '10000');
      const answers = await together(50, () => pay(payer, receiver, '1000'));
      const [passed, refused] = split(answers);
      assert.equal(passed.length, 10);
      for (const answer of refused) mustRefuse(answer, 400, 'insufficient-funds');
      assert.deepEqual(
        passed.map(({ body }) => String(body['balanceAfter'])).sort(byNumber),
        Array.from({ length: 10 }, (_, place) => `${place * 1000}`),
        'every payment saw the one before it',
      );
      assert.deepEqual([await balanceOf(payer), await balanceOf(receiver)], ['0', '10000']);
    });

    it('one idempotencyKey 20 times moves money once', async () => {
      const [payer, receiver] = [await world.agent(), await world.agent()];
      await world.fund(payer, '10000');
      const answers = await together(20, () => pay(payer, receiver, '1000', 'the same'));
      const bodies = answers.map((answer) => mustOk(answer));
      assert.equal(new Set(bodies.map((body) => body['transferId'])).size, 1);
      assert.equal(bodies.filter((body) => body['repeated'] === false).length, 1);
      assert.deepEqual([await balanceOf(payer), await balanceOf(receiver)], ['9000', '1000']);
    });

    it('one key with 20 different payments lets one of them through', async () => {
      const [payer, receiver] = [await world.agent(), await world.agent()];
      await world.fund(payer, '10000');
      const answers = await together(20, (place) => pay(payer, receiver, `${place + 1}`, 'once'));
      const [passed, refused] = split(answers);
      assert.equal(passed.length, 1);
      for (const answer of refused) mustRefuse(answer, 400, 'idempotency-mismatch');
      assert.equal(await balanceOf(receiver), passed[0]?.body['amount']);
    });

    it('payments in both directions all pass and lose nothing', async () => {
      const [one, two] = [await world.agent(), await world.agent()];
      await world.fund(one, '20000');
      await world.fund(two, '20000');
      const answers = await together(40, (place) =>
        place % 2 === 0 ? pay(one, two, '1000') : pay(two, one, '300'),
      );
      for (const answer of answers) mustOk(answer);
      assert.deepEqual([await balanceOf(one), await balanceOf(two)], ['6000', '34000']);
    });

    it('payments to one account that never existed make one account', async () => {
      const receiver = await world.agent();
      const payers = await Promise.all(Array.from({ length: 10 }, () => world.agent()));
      for (const payer of payers) await world.fund(payer, '10');
      const answers = await Promise.all(payers.map((payer) => pay(payer, receiver, '10')));
      for (const answer of answers) mustOk(answer);
      assert.equal(await balanceOf(receiver), '100');
    });

    it('20 credits of the largest size give an account its day, and no more', async () => {
      const agent = await world.agent();
      const answers = await together(20, (place) =>
        world.anyone.post(`/api/v1/wallet/${agent.account}/credit`, {
          amount: '1000000000',
          idempotencyKey: `race-${place}`,
        }),
      );
      const [passed, refused] = split(answers);
      assert.equal(passed.length, 10);
      for (const answer of refused) mustRefuse(answer, 400, 'faucet-cap');
      assert.equal(await balanceOf(agent), '10000000000');
    });

    it('a nonce sent 10 times at once is taken once', async () => {
      const agent = await world.agent();
      await world.fund(agent, '10');
      const request = await agent.signed('GET', `/api/v1/wallet/${agent.account}`);
      const answers = await together(10, () => agent.send(request.clone()));
      const [passed, refused] = split(answers);
      assert.equal(passed.length, 1);
      for (const answer of refused) mustRefuse(answer, 401, 'replayed');
    });

    it('a key that 5 accounts take at once is bound to one', async () => {
      const key = await world.agent();
      const owners = await Promise.all(Array.from({ length: 5 }, () => world.agent()));
      const path = (owner: Agent): string => `/api/v1/wallet/${owner.account}/keys`;
      const body = { publicKey: key.keyId };
      for (const owner of owners) mustOk(await key.post(path(owner), body));
      const answers = await Promise.all(owners.map((owner) => owner.post(path(owner), body)));
      const [passed, refused] = split(answers);
      assert.equal(passed.length, 1);
      for (const answer of refused) mustRefuse(answer, 400, 'key-bound');
      const me = mustOk(await key.get('/api/v1/me'));
      assert.equal(me['owner'], passed[0]?.body['owner']);
    });

    it('statements stay gapless under it all', async () => {
      const [one, two] = [await world.agent(), await world.agent()];
      await world.fund(one, '1000');
      await together(30, () => pay(one, two, '1'));
      const page = mustOk(await two.get(`/api/v1/wallet/${two.account}/statement?limit=200`));
      const entries = page['entries'] as readonly Record<string, unknown>[];
      assert.deepEqual(
        entries.map((entry) => [entry['seq'], entry['balanceAfter']]),
        Array.from({ length: 30 }, (_, place) => [30 - place, `${30 - place}`]),
      );
    });

    function pay(
      from: Agent,
      to: Agent,
      amount: string,
      idempotencyKey = `race-${(keys += 1)}`,
    ): Promise<Answer> {
      const body = { to: to.account, amount, idempotencyKey };
      return from.post(`/api/v1/wallet/${from.account}/pay`, body);
    }

    async function balanceOf(agent: Agent): Promise<unknown> {
      return at(mustOk(await agent.get(`/api/v1/wallet/${agent.account}`)), 'balance');
    }
  });
}

function together(count: number, send: (place: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, place) => send(place)));
}

function split(answers: readonly Answer[]): [passed: Answer[], refused: Answer[]] {
  return [
    answers.filter(({ status }) => status === 200),
    answers.filter(({ status }) => status !== 200),
  ];
}

function byNumber(a: string, b: string): number {
  return Number(a) - Number(b);
}
