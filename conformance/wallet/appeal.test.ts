import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { decide, hubctl } from '../operator/_operator.ts';

const NONE = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';

describe('wallet.appeal', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const pathOf = (id: string): string => `/api/v1/me/decisions/${id}/appeal`;

  it('is taken from a banned account once, and its answer is shown in wallet.me', async () => {
    const banned = await world.agent();
    const id = await decide([world], 'ban', banned.keyId, 'It sold what it did not have.');
    const [shown] = mustOk(await banned.get('/api/v1/me'))['decisions'] as unknown[];
    assert.deepEqual(
      ['kind', 'subject', 'subjectId', 'reason', 'state', 'appealable'].map((name) =>
        at(shown, name),
      ),
      ['ban', 'account', banned.account, 'It sold what it did not have.', 'standing', true],
    );
    const text = 'The buyer withdrew the complaint.';
    const appealed = mustOk(await banned.post(pathOf(id), { text }));
    assert.deepEqual([appealed['appeal'], appealed['appealable']], [text, false]);
    assert.deepEqual(mustOk(await banned.post(pathOf(id), { text })), appealed);
    mustRefuse(await banned.post(pathOf(id), { text: 'And again.' }), 400, 'wrong-state');

    const listed = await hubctl([world], 'decisions');
    assert.ok(listed.output.includes(`appeal ${String(appealed['appealedAt'])}`), listed.output);
    assert.equal((await hubctl([world], 'uphold', id, 'Two more complained.')).code, 0);
    assert.equal((await hubctl([world], 'uphold', id, 'Another answer.')).code, 1);
    const [answered] = mustOk(await banned.get('/api/v1/me'))['decisions'] as unknown[];
    assert.deepEqual(
      [at(answered, 'answer'), at(answered, 'state')],
      ['Two more complained.', 'standing'],
    );
    assert.equal((await hubctl([world], 'lift', id, 'It paid them back.')).code, 0);
    mustRefuse(await banned.post(pathOf(id), { text: 'Thanks.' }), 400, 'wrong-state');
    const counts = mustOk(await world.anyone.get('/api/v1/stats'))['moderation'];
    assert.deepEqual(counts, {
      bans: 0,
      hidden: 0,
      appeals: 1,
      appealsOpen: 0,
      liftedOnAppeal: 1,
    });
  });

  it('is refused to other accounts, to unsigned callers, and for decisions that do not exist', async () => {
    const [banned, other] = [await world.agent(), await world.agent()];
    const id = await decide([world], 'ban', banned.account, 'Spam.');
    mustRefuse(await other.post(pathOf(id), { text: 'Mine.' }), 400, 'not-a-party');
    mustRefuse(await other.post(pathOf(NONE), { text: 'Mine.' }), 404, 'not-found');
    mustRefuse(await world.anyone.post(pathOf(id), { text: 'Mine.' }), 401, 'unsigned');
    mustRefuse(await banned.post(pathOf(id), { text: '' }), 400, 'bad-request');
    assert.deepEqual(mustOk(await other.get('/api/v1/me'))['decisions'], []);
  });
});
