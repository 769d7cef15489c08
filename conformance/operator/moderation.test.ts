import assert from 'node:assert/strict';
import { generateKey } from '../../clients/typescript/sign.ts';
import { agentWith, joinAccount } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { act, claim, money, publish, read, RULE } from '../tasks/_work.ts';
import { decide, hubctl } from './_operator.ts';

const HIDDEN = 'Hidden by the operator of this hub.';

hubsOnBothDatabases('hubctl ban and hubctl hide', (open) => {
  let world: Fixture;
  let second: Fixture;
  let all: readonly Fixture[];
  before(async () => {
    world = await open({ env: { HUB_LOG: 'silent' } });
    second = await open({ clock: world.hub.clock, env: { HUB_LOG: 'silent' } });
    all = [world, second];
    await world.fund(world.alice, '90000000');
    await world.fund(world.bob, '90000000');
  });

  const banned = async () => {
    const key = await generateKey();
    const [agent, elsewhere] = [agentWith(world.hub, key), agentWith(second.hub, key)];
    await world.fund(agent, '5000000');
    return { agent, elsewhere, id: await decide(all, 'ban', agent.keyId, 'Fraud.') };
  };
  const payment = (to: string) => ({ to, amount: '1', idempotencyKey: 'one' });

  it('refuse what a banned account begins, in every process, and let it leave with its money', async () => {
    const { agent, elsewhere, id } = await banned();
    const path = `/api/v1/wallet/${agent.account}`;
    const begun: readonly (readonly [string, Record<string, unknown>])[] = [
      [`${path}/pay`, payment(world.bob.account)],
      ['/api/v1/tasks', { requester: agent.account, title: 'Do it', rewardAmount: '1000' }],
      ['/api/v1/tasks/claim', {}],
      [`${path}/api-keys`, {}],
      ['/api/v1/files', { owner: agent.account, key: 'a', contentBase64: 'YQ==' }],
    ];
    for (const [route, body] of begun) {
      const refused = mustRefuse(await agent.post(route, body), 400, 'moderated');
      assert.ok(String(refused['error']).includes(id), route);
      mustRefuse(await elsewhere.post(route, body), 400, 'moderated');
    }
    const out = { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', amount: '5000000' };
    mustOk(await agent.post(`${path}/withdraw`, { ...out, idempotencyKey: 'all' }));
    assert.deepEqual(await money(agent), ['5000000', '5000000', '0']);
    assert.equal((await hubctl(all, 'ban', agent.account, 'Again.')).code, 1);
    assert.equal((await hubctl(all, 'lift', id, 'A mistake.')).code, 0);
    await world.fund(agent, '10');
    mustOk(await agent.post(`${path}/pay`, payment(world.bob.account)));
  });

  it('let a ban end what runs: the worker delivers, the requester accepts, escrow is released', async () => {
    const [requester, worker] = [await world.agent(), await world.agent()];
    await world.fund(requester, '9000000');
    const { id } = await publish(requester, { acceptance: RULE });
    const claimToken = await claim(worker, id);
    const open = await publish(requester, { acceptance: RULE });
    await decide(all, 'ban', worker.keyId, 'Fraud.');
    await decide(all, 'ban', requester.keyId, 'Fraud.');
    mustRefuse(await act(worker, open.id, 'claim', { agentId: worker.account }), 400, 'moderated');
    const offer = { title: 'For you', offeredTo: { accounts: [worker.account] } };
    const offered = { requester: world.alice.account, ...offer };
    mustRefuse(await world.alice.post('/api/v1/tasks', offered), 400, 'moderated');
    mustOk(await act(worker, id, 'submit', { claimToken, result: 'done' }));
    assert.equal((await read(world, id))['state'], 'accepted');
    mustOk(await act(requester, open.id, 'cancel', { requester: requester.account }));
    assert.equal((await money(requester))[1], '1000000', 'the accepted reward alone is held');
  });

  it('hold against a key that joins another account, a joined key, and a poll that waits', async () => {
    const fresh = await world.agent();
    await decide(all, 'ban', fresh.keyId, 'Known from elsewhere.');
    const refuge = await world.agent();
    assert.notEqual((await joinAccount(refuge, fresh)).status, 200);
    mustRefuse(await fresh.post('/api/v1/tasks/claim', {}), 400, 'moderated');

    const [owner, key] = [await world.agent(), await world.agent()];
    await world.fund(owner, '10');
    mustOk(await joinAccount(owner, key));
    await decide(all, 'ban', key.keyId, 'Fraud.');
    const paid = `/api/v1/wallet/${owner.account}/pay`;
    for (const each of [owner, key]) {
      mustRefuse(await each.post(paid, payment(world.bob.account)), 400, 'moderated');
    }
    mustRefuse(
      await world.bob.post(`/api/v1/wallet/${owner.account}/keys`, { publicKey: world.bob.keyId }),
      400,
      'moderated',
    );

    const waiter = await world.agent();
    const poll = waiter.post('/api/v1/tasks/claim?wait=20', { tags: ['waited-for'] });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await decide(all, 'ban', waiter.keyId, 'Fraud.');
    const offered = await publish(world.alice, { acceptance: RULE, tags: ['waited-for'] });
    mustRefuse(await poll, 400, 'moderated');
    assert.equal((await read(world, offered.id))['state'], 'open');
  });

  it('hide a comment, a report and a passport from all but their authors, and show them again', async () => {
    const { id } = await publish(world.alice, { title: 'A <b>title</b>' });
    const author = await world.agent();
    const body = { author: author.account, body: 'an insult' };
    const comment = mustOk(await act(author, id, 'comments', body));
    const bio = 'an insult of mine';
    mustOk(
      await author.post('/api/v1/passport', { keyId: author.keyId, displayName: 'Rude', bio }),
    );
    const decision = await decide(all, 'hide', 'comment', String(comment['id']), 'An insult.');
    await decide(all, 'hide', 'passport', author.keyId, 'An insult.');
    const comments = `/api/v1/tasks/${id}/comments`;
    for (const each of all) {
      const seen = await each.anyone.get(comments);
      assert.ok(!seen.text.includes('an insult'), seen.text);
      assert.ok(seen.text.includes(HIDDEN));
      const profile = await each.anyone.get(`/api/v1/passport/${author.keyId}`);
      assert.ok(!profile.text.includes('Rude') && !profile.text.includes(bio), profile.text);
    }
    const own = mustOk(await author.get('/api/v1/me'))['decisions'] as unknown[];
    assert.deepEqual(own.map((each) => at(each, 'subject')).sort(), ['comment', 'passport']);
    assert.equal((await hubctl(all, 'lift', decision, 'It was a quotation.')).code, 0);
    assert.ok((await world.anyone.get(comments)).text.includes('an insult'));
    assert.equal((await hubctl(all, 'hide', 'comment', 'nothing', 'An insult.')).code, 1);
    assert.equal((await hubctl(all, 'hide', 'wallet', world.bob.keyId, 'An insult.')).code, 1);
  });

  it('withdraw a hidden task that is open, and let a claimed one run to its end', async () => {
    const before = await money(world.alice);
    const over = { title: 'Steal it', description: 'a scam', acceptance: RULE };
    const open = await publish(world.alice, over);
    const held = await publish(world.alice, over);
    const worker = await world.agent();
    const claimToken = await claim(worker, held.id);
    await decide(all, 'hide', 'task', open.id, 'A scam.');
    await decide(all, 'hide', 'task', held.id, 'A scam.');
    assert.equal((await read(world, open.id))['state'], 'withdrawn');
    for (const path of [`/api/v1/tasks/${held.id}`, '/api/v1/tasks?limit=100', '/api/v1/tasks']) {
      const seen = await world.anyone.get(path);
      assert.ok(!/Steal it|a scam/.test(seen.text), path);
    }
    mustRefuse(
      await act(world.bob, held.id, 'comments', { author: world.bob.account, body: 'x' }),
      400,
      'moderated',
    );
    for (const party of [worker, world.alice]) {
      const seen = await party.get(`/api/v1/tasks/${held.id}`);
      assert.ok(seen.text.includes('a scam'), 'a party reads what it agreed to');
    }
    assert.ok(!(await world.bob.get(`/api/v1/tasks/${held.id}`)).text.includes('a scam'));
    const work = mustOk(await worker.get('/api/v1/me/work?role=worker'))['work'];
    assert.equal(at(work, 0, 'title'), 'Steal it', 'its worker knows what it delivers');
    mustOk(await act(worker, held.id, 'submit', { claimToken, result: 'done' }));
    world.hub.clock.advance(30 * 86_400);
    await world.hub.runJob('payoutRelease');
    assert.equal((await read(world, held.id))['state'], 'paid');
    const after = await money(world.alice);
    assert.equal(BigInt(String(before[0])) - BigInt(String(after[0])), 1_000_000n);
  });
});
