import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { filesUnder } from '../../db/files/files.ts';
import { pin } from '../../db/tasks/taskFiles.ts';
import type { Account } from '../../domain/account.ts';
import { bytesOf, filePath, putFile, sha256Of } from '../files/file.ts';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { decide } from '../operator/_operator.ts';
import { act, claim, publish, read, RULE, type Body } from './_work.ts';

const JUDGED = { verification: 'requester', disputeWindowSeconds: 0 };

hubsOnBothDatabases('tasks.file', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
    for (const agent of [world.alice, world.bob]) await world.fund(agent, '20000000');
  });

  it('shows the files of a public brief to all, and refuses any other digest', async () => {
    const { alice, bob, anyone } = world;
    const content = bytesOf(70_000, 3);
    const file = await stored(alice, 'in/data.bin', content);
    const { id, files } = await publish(alice, { files: [file] });
    assert.deepEqual(files, [{ ...file, bytes: 70_000 }]);
    assert.deepEqual((await read(world, id))['files'], files);
    for (const reader of [anyone, bob]) {
      const got = mustOk(await reader.get(pathOf(id, file.sha256)));
      assert.deepEqual(
        [got['key'], got['bytes'], got['offset'], got['length'], got['nextOffset']],
        ['in/data.bin', 70_000, 0, 70_000, undefined],
      );
      assert.ok(Buffer.from(String(got['contentBase64']), 'base64').equals(content));
    }
    mustRefuse(await anyone.get(pathOf(id, sha256Of('other'))), 404, 'not-found');
    const elsewhere = await publish(alice);
    mustRefuse(await anyone.get(pathOf(elsewhere.id, file.sha256)), 404, 'not-found');
  });

  it('reads parts of any size, and an empty file', async () => {
    const { alice, anyone } = world;
    const content = bytesOf(100_001, 9);
    const [file, empty] = [await stored(alice, 'parts', content), await stored(alice, 'empty', '')];
    const { id } = await publish(alice, { files: [file, empty] });
    for (const length of [49_152, 33_333, 100_001]) {
      const parts: Buffer[] = [];
      let offset: unknown = 0;
      while (offset !== undefined) {
        const query = `?offset=${String(offset)}&length=${length}`;
        const got = mustOk(await anyone.get(`${pathOf(id, file.sha256)}${query}`));
        parts.push(Buffer.from(String(got['contentBase64']), 'base64'));
        offset = got['nextOffset'];
      }
      assert.ok(Buffer.concat(parts).equals(content), `in parts of ${length}`);
    }
    for (const [path, length] of [
      [pathOf(id, empty.sha256), 0],
      [`${pathOf(id, file.sha256)}?offset=100001`, 0],
      [`${pathOf(id, file.sha256)}?offset=100000`, 1],
    ] as const) {
      const got = mustOk(await anyone.get(path));
      assert.deepEqual([got['length'], got['nextOffset']], [length, undefined]);
    }
    const bad = await anyone.get(`${pathOf(id, file.sha256)}?offset=-1`);
    mustRefuse(bad, 400, 'bad-request');
  });

  it('shows the files of a result to its parties, and to all once it was decided', async () => {
    const { alice, bob, anyone } = world;
    const rival = await world.agent();
    const content = bytesOf(300_000, 4);
    const file = { ...(await stored(bob, 'out.pdf', content)), mediaType: 'application/pdf' };
    const { id } = await publish(alice, JUDGED);
    const claimToken = await claim(bob, id);
    const result = { done: true };
    mustOk(await act(bob, id, 'submit', { claimToken, result, files: [file] }));
    const path = pathOf(id, file.sha256);
    for (const reader of [alice, bob]) mustOk(await reader.get(path));
    for (const reader of [anyone, rival]) mustRefuse(await reader.get(path), 404, 'not-found');
    const listed = async (by: Pick<Agent, 'get'>): Promise<Body> =>
      at(mustOk(await by.get(`/api/v1/tasks/${id}/solutions`)), 'solutions', 0) as Body;
    assert.equal((await listed(anyone))['files'], undefined);
    const files = [{ ...file, bytes: 300_000 }];
    assert.deepEqual((await listed(alice))['files'], files);
    mustOk(await act(alice, id, 'accept', { requester: alice.account }));
    mustOk(await anyone.get(path));
    const shown = await listed(anyone);
    assert.deepEqual(shown['files'], files);
    // Members in the order of RFC 8785.
    const [{ bytes, key, mediaType, owner, sha256 }] = files as [(typeof files)[0]];
    const text = JSON.stringify({
      files: [{ bytes, key, mediaType, owner, sha256 }],
      result,
      v: 1,
    });
    assert.equal(shown['resultDigest'], createHash('sha256').update(text).digest('hex'));
  });

  it('keeps the bytes until the task is over, whatever their owner does', async () => {
    const { alice, bob } = world;
    const file = await stored(bob, 'kept', 'first bytes');
    const { id } = await publish(alice, JUDGED);
    const claimToken = await claim(bob, id);
    mustOk(await act(bob, id, 'submit', { claimToken, result: 1, files: [file] }));
    const gone = `${filePath(bob, 'kept')}/delete`;
    for (const tried of [await putFile(bob, 'kept', 'other bytes'), await bob.post(gone, {})]) {
      const { error, hint } = mustRefuse(tried, 400, 'wrong-state');
      assert.match(`${String(error)} ${String(hint)}`, new RegExp(`${id}.*/api/v1/files`, 's'));
    }
    mustOk(await putFile(bob, 'kept', 'first bytes'));
    mustOk(await bob.post(`${filePath(bob, 'kept')}/rename`, { to: 'kept too' }));
    const got = mustOk(await alice.get(pathOf(id, file.sha256)));
    assert.equal(Buffer.from(String(got['contentBase64']), 'base64').toString(), 'first bytes');
    mustOk(await act(alice, id, 'accept', { requester: alice.account }));
    mustOk(await bob.post(`${filePath(bob, 'kept too')}/delete`, {}));
    mustRefuse(await alice.get(pathOf(id, file.sha256)), 404, 'not-found');
  });

  it('keeps the bytes through the window for a dispute, and as long as one is open', async () => {
    const { alice, bob, hub } = world;
    const [early, late] = [await stored(bob, 'window', 'window'), await stored(bob, 'row', 'row')];
    const over = { acceptance: RULE, disputeWindowSeconds: 3_600 };
    const accepted = async (file: Body): Promise<string> => {
      const { id } = await publish(alice, over);
      const claimToken = await claim(bob, id);
      mustOk(await act(bob, id, 'submit', { claimToken, result: 'done', files: [file] }));
      return id;
    };
    const remove = (key: string) => bob.post(`${filePath(bob, key)}/delete`, {});
    const [paid, disputed] = [await accepted(early), await accepted(late)];
    const objection = { raisedBy: alice.account, reason: 'It is empty.' };
    mustOk(await act(alice, disputed, 'dispute', objection));
    for (const key of ['window', 'row']) mustRefuse(await remove(key), 400, 'wrong-state');
    hub.clock.advance(3_601);
    assert.equal((await read(world, paid))['state'], 'paid');
    mustOk(await remove('window'));
    assert.equal((await read(world, disputed))['state'], 'disputed');
    mustRefuse(await remove('row'), 400, 'wrong-state');
    mustOk(await alice.get(pathOf(disputed, late.sha256)));
  });

  it('lets a copy go while another one is there', async () => {
    const { alice } = world;
    const file = await stored(alice, 'copy/1', 'the same');
    await stored(alice, 'copy/2', 'the same');
    const { id } = await publish(alice, { files: [file] });
    mustOk(await alice.post(`${filePath(alice, 'copy/1')}/delete`, {}));
    mustOk(await alice.get(pathOf(id, file.sha256)));
    mustRefuse(await alice.post(`${filePath(alice, 'copy/2')}/delete`, {}), 400, 'wrong-state');
    mustOk(await act(alice, id, 'cancel', { requester: alice.account }));
    mustOk(await alice.post(`${filePath(alice, 'copy/2')}/delete`, {}));
  });

  it('takes a result above 256 KB in the way that its refusal names', async () => {
    const { alice, bob } = world;
    const { id } = await publish(alice, JUDGED);
    const claimToken = await claim(bob, id);
    const result = 'x'.repeat(270_000);
    const tried = await act(bob, id, 'submit', { claimToken, result });
    const { hint } = mustRefuse(tried, 400, 'body-too-large');
    assert.match(String(hint), /POST \/api\/v1\/files.*files: \[\{owner, key, sha256\}\]/);
    const file = await stored(bob, 'long.txt', result);
    mustOk(await act(bob, id, 'submit', { claimToken, result: 'in the file', files: [file] }));
    const got = mustOk(await alice.get(pathOf(id, file.sha256)));
    assert.equal(Buffer.from(String(got['contentBase64']), 'base64').toString(), result);
  });

  it('refuses what is not as it is named, and takes no money and no claim for it', async () => {
    const { alice, bob } = world;
    const file = await stored(alice, 'mine', 'mine');
    const { id } = await publish(alice, JUDGED);
    const claimToken = await claim(bob, id);
    const foreign = await stored(bob, 'his', 'his');
    const bad: readonly (readonly [unknown, number, string])[] = [
      [[{ ...file, sha256: sha256Of('changed') }], 404, 'not-found'],
      [[{ ...file, key: 'never stored' }], 404, 'not-found'],
      [[{ ...file, sha256: 'abc' }], 400, 'bad-request'],
      [[file, file], 400, 'not-together'],
      [[{ ...file, mediaType: 'text/html; charset=x' }], 400, 'bad-request'],
      [Array.from({ length: 21 }, (_, nth) => ({ ...file, key: `${nth}` })), 400, 'bad-request'],
      [Array.from({ length: 10_000 }, () => file), 400, 'body-too-large'],
      [[foreign], 401, 'wrong-owner'],
    ];
    for (const [files, status, code] of bad) {
      const body = { requester: alice.account, title: 'x', rewardAmount: '5000', files };
      mustRefuse(await alice.post('/api/v1/tasks', body), status, code);
    }
    for (const files of [[file], [{ ...foreign, sha256: sha256Of('changed') }]]) {
      const tried = await act(bob, id, 'submit', { claimToken, result: 1, files });
      assert.match(String(at(tried.body, 'code')), /^(wrong-owner|not-found)$/);
    }
    mustOk(await act(bob, id, 'submit', { claimToken, result: 1, files: [foreign] }));
  });

  it('answers a repeated publication although its file has gone', async () => {
    const { alice } = world;
    const file = await stored(alice, 'once', 'once');
    const body = {
      requester: alice.account,
      title: 'x',
      rewardAmount: '5000',
      files: [file],
      idempotencyKey: 'files-once',
    };
    const first = mustOk(await alice.post('/api/v1/tasks', body));
    mustOk(await act(alice, String(first['id']), 'cancel', { requester: alice.account }));
    mustOk(await alice.post(`${filePath(alice, 'once')}/delete`, {}));
    const again = mustOk(await alice.post('/api/v1/tasks', body));
    assert.deepEqual([again['id'], again['repeated']], [first['id'], true]);
  });

  it('names a file or lets it go when both are asked for at once, and never both', async () => {
    const { alice } = world;
    for (let round = 0; round < 8; round += 1) {
      const key = `race ${round}`;
      const file = await stored(alice, key, key);
      const body = { requester: alice.account, title: 'x', rewardAmount: '5000', files: [file] };
      const [made, gone] = await Promise.all([
        alice.post('/api/v1/tasks', body),
        alice.post(`${filePath(alice, key)}/delete`, {}),
      ]);
      assert.notEqual(made.status, gone.status, `${made.text} ${gone.text}`);
      if (made.status !== 200) continue;
      mustOk(await alice.get(pathOf(String(made.body['id']), file.sha256)));
    }
  });

  it('holds a file without its task for an hour, as a killed publication leaves it', async () => {
    const { alice, hub } = world;
    const { sha256 } = await stored(alice, 'killed', 'killed');
    const { store, clock } = hub.running.hub;
    await store.write(async (tx) => {
      const [row] = [...(await filesUnder(tx, alice.account as Account, ['killed'])).values()];
      assert.ok(row !== undefined);
      const { owner, object, bytes } = row;
      const taskId = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
      await pin(tx, { taskId, owner, sha256, object, bytes, pinnedAt: clock.now() });
    });
    const remove = () => alice.post(`${filePath(alice, 'killed')}/delete`, {});
    mustRefuse(await remove(), 400, 'wrong-state');
    hub.clock.advance(3_601);
    mustOk(await remove());
  });

  it('pins what a solution names, and the terms and the digest change with a file', async () => {
    const { alice, bob, anyone } = world;
    const file = await stored(bob, 'solution', 'solution');
    const { id } = await publish(alice, { mode: 'open', verification: 'requester' });
    const body = { agentId: bob.account, result: 'see the file', files: [file] };
    mustOk(await act(bob, id, 'solution', body));
    mustOk(await alice.get(pathOf(id, file.sha256)));
    mustRefuse(await anyone.get(pathOf(id, file.sha256)), 404, 'not-found');
    mustRefuse(await bob.post(`${filePath(bob, 'solution')}/delete`, {}), 400, 'wrong-state');
  });

  it('hides the files of a hidden task from all but its parties, and lists none', async () => {
    const { alice, bob, anyone } = world;
    const file = await stored(alice, 'rude words', 'rude');
    const { id } = await publish(alice, { files: [file] });
    await decide([world], 'hide', 'task', id, 'It is rude.');
    for (const reader of [anyone, bob]) {
      mustRefuse(await reader.get(pathOf(id, file.sha256)), 404, 'not-found');
      const shown = mustOk(await reader.get(`/api/v1/tasks/${id}`));
      assert.deepEqual(shown['files'], []);
    }
    mustOk(await alice.get(pathOf(id, file.sha256)));
  });

  it('erases a file with its account, although a task names it', async () => {
    const agent = await world.agent();
    await world.fund(agent, '100000');
    const file = await stored(agent, 'erased', 'erased');
    const { id } = await publish(agent, { rewardAmount: '5000', files: [file] });
    mustOk(await agent.post(`/api/v1/wallet/${agent.account}/erase`, { confirm: 'erase' }));
    mustRefuse(await agent.get(pathOf(id, file.sha256)), 404, 'not-found');
  });
});

function pathOf(id: string, sha256: string): string {
  return `/api/v1/tasks/${id}/files/${sha256}`;
}

/** Stores a file and answers how a task names it. */
async function stored(owner: Agent, key: string, content: Uint8Array | string) {
  const { sha256 } = mustOk(await putFile(owner, key, content));
  return { owner: owner.account, key, sha256: String(sha256) };
}
