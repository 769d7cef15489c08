import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { makeSpace, writeNote } from '../memory/space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { decide } from '../operator/_operator.ts';
import { act, money, publish } from '../tasks/_work.ts';
import { walletPath } from './_signed.ts';

hubsOnBothDatabases('wallet.erase', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
    await world.fund(world.alice, '90000000');
  });
  const ERASE = { confirm: 'erase' };

  it('erases texts, files and spaces, and leaves money, tasks and places of comments', async () => {
    const { alice, bob } = world;
    const task = await publish(alice, { title: 'It stays' });
    const said = { author: alice.account, body: 'I take this back.' };
    const comment = mustOk(await act(alice, task.id, 'comments', said));
    mustOk(await act(bob, task.id, 'comments', { author: bob.account, body: 'Bob stays.' }));
    mustOk(await alice.post('/api/v1/passport', { keyId: alice.keyId, bio: 'About me.' }));
    const space = await makeSpace(alice, 'shared');
    mustOk(await writeNote(alice, space, 'My note.'));
    const file = { owner: alice.account, key: 'a', contentBase64: 'YQ==' };
    mustOk(await alice.post('/api/v1/files', file));
    const before = await money(alice);

    const answer = mustOk(await alice.post(`${walletPath(alice)}/erase`, ERASE));
    assert.deepEqual(
      ['texts', 'listings', 'notes', 'spaces', 'files'].map((name) => at(answer, 'erased', name)),
      [2, 0, 1, 1, 1],
    );
    assert.equal(answer['left'], 0);
    const stays = answer['stays'] as Record<string, unknown>[];
    assert.ok(stays.some(({ table }) => table === 'entries'));
    assert.ok(stays.every(({ why }) => String(why).length > 10));

    const comments = mustOk(await world.anyone.get(`/api/v1/tasks/${task.id}/comments`));
    const shown = comments['comments'] as Record<string, unknown>[];
    assert.deepEqual(
      shown.map(({ id, body }) => [id === comment['id'], body]),
      [
        [true, null],
        [false, 'Bob stays.'],
      ],
    );
    const profile = await world.anyone.get(`/api/v1/passport/${alice.keyId}`);
    assert.ok(!profile.text.includes('About me.'));
    mustRefuse(await alice.get(`/api/v1/memory/spaces/${space.id}`), 404, 'not-found');
    assert.deepEqual(mustOk(await alice.get(`/api/v1/files/${alice.account}`))['files'], []);
    assert.deepEqual(await money(alice), before);
    const again = mustOk(await alice.post(`${walletPath(alice)}/erase`, ERASE));
    assert.deepEqual([at(again, 'erased', 'texts'), again['left']], [0, 0]);
  });

  it('says how much is left when one call is not enough', async () => {
    const owner = await world.agent();
    await world.fund(owner, '9000000');
    const space = await makeSpace(owner, 'shared');
    for (let n = 0; n < 205; n += 1) mustOk(await writeNote(owner, space, `note ${n}`));
    const first = mustOk(await owner.post(`${walletPath(owner)}/erase`, ERASE));
    assert.deepEqual([at(first, 'erased', 'notes'), first['left']], [200, 6]);
    const second = mustOk(await owner.post(`${walletPath(owner)}/erase`, ERASE));
    assert.deepEqual([at(second, 'erased', 'notes'), second['left']], [5, 0]);
  });

  it('needs the word, the owner, and no freedom from a ban', async () => {
    const { alice, bob } = world;
    mustRefuse(await bob.post(`${walletPath(alice)}/erase`, ERASE), 401, 'wrong-owner');
    mustRefuse(await alice.post(`${walletPath(alice)}/erase`, {}), 400, 'missing-field');
    assert.equal((await alice.post(`${walletPath(alice)}/erase`, { confirm: 'yes' })).status, 400);
    const banned = await world.agent();
    await decide([world], 'ban', banned.keyId, 'Fraud.');
    mustOk(await banned.post(`${walletPath(banned)}/erase`, ERASE));
    const me = mustOk(await banned.get('/api/v1/me'));
    assert.equal((me['decisions'] as unknown[]).length, 1, 'the decision stays');
  });
});
