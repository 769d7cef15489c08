import assert from 'node:assert/strict';
import { callSkill, mustComplete, mustMessage, mustReject } from '../doors/a2a/_door.ts';
import {
  mustFault,
  mustRefuseResult,
  mustResult,
  send,
  toolCall,
  type Json,
  type RpcAnswer,
} from '../doors/mcp/_door.ts';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { costOf } from '../memory/space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { bytesOf, filePath, FILES, putFile, sha256Of, storedObjects } from './file.ts';

const MEGABYTE = 1_048_576;
/** A file of one megabyte in base64, once in structured content and once as text, and the rest. */
const ANSWER_BYTES_MAX = 2 * Math.ceil(MEGABYTE / 3) * 4 + 8_192;

hubsOnBothDatabases('files over MCP and A2A', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
    await world.fund(world.alice, '10000000');
  });

  const call = (name: string, given: Json, by = world.alice): Promise<RpcAnswer> =>
    send(world, toolCall(1, name, given), { by });
  const tool = async (name: string, given: Json): Promise<Json> =>
    mustResult(await call(name, given));
  const put = (key: string, content: Uint8Array | string, more: Json = {}, by?: Agent) => {
    const contentBase64 = Buffer.from(content).toString('base64');
    return call(
      'files-put',
      { owner: (by ?? world.alice).account, key, contentBase64, ...more },
      by,
    );
  };
  const mustBeFree = async (work: () => Promise<unknown>): Promise<void> =>
    assert.equal(await costOf(world.alice, work), 0n);

  it('puts, lists, gets, renames and deletes a file, for the price of HTTP', async () => {
    const { alice } = world;
    const { account: owner } = alice;
    const content = bytesOf(5_000, 3);
    let made: Json = {};
    const cost = await costOf(alice, async () => {
      made = mustResult(await put('a/report', content));
    });
    assert.deepEqual([cost, made['sha256'], made['bytes']], [120n, sha256Of(content), 5_000]);
    const listed = await tool('files-list', { owner, prefix: 'a/' });
    assert.deepEqual(listed, mustOk(await alice.get(`${FILES}/${owner}?prefix=a%2F`)));
    assert.equal(at(listed, 'files', 0, 'key'), 'a/report');
    const read = await costOf(alice, async () => {
      const got = await tool('files-get', { owner, key: 'a/report' });
      assert.equal(got['contentBase64'], content.toString('base64'));
      assert.equal(got['sha256'], sha256Of(content));
    });
    assert.equal(read, 20n);
    await tool('files-rename', { owner, key: 'a/report', to: 'b/report' });
    mustRefuseResult(await call('files-get', { owner, key: 'a/report' }), 'not-found');
    mustOk(await alice.get(filePath(alice, 'b/report')));
    await tool('files-delete', { owner, key: 'b/report' });
    mustRefuse(await alice.get(filePath(alice, 'b/report')), 404, 'not-found');
  });

  it('carries every byte of a megabyte, within the bytes of an answer', async () => {
    const { alice } = world;
    for (const content of [Buffer.alloc(0), bytesOf(1, 1), bytesOf(MEGABYTE, 2)]) {
      mustResult(await put('whole', content));
      const answer = await call('files-get', { owner: alice.account, key: 'whole' });
      assert.equal(mustResult(answer)['contentBase64'], content.toString('base64'));
      assert.ok(Buffer.byteLength(answer.text) <= ANSWER_BYTES_MAX, `${answer.text.length}`);
    }
    assert.deepEqual(await storedObjects(world, 'uploads'), []);
  });

  it('refuses to store a larger file, free, and takes it in parts or over HTTP', async () => {
    const { alice } = world;
    for (const bytes of [MEGABYTE + 1, MEGABYTE + 9_000]) {
      const content = bytesOf(bytes, 4);
      await mustBeFree(async () => {
        const refusal = mustRefuseResult(await put('large', content), 'file-too-large');
        assert.equal(refusal['field'], 'body.contentBase64');
        assert.match(
          String(refusal['hint']),
          /Split the file.*over HTTP, to the path \/api\/v1\/files,/,
        );
        assert.doesNotMatch(String(refusal['hint']), /\(tool/);
        mustRefuse(await alice.get(filePath(alice, 'large')), 404, 'not-found');
      });
      mustResult(await put('large/1', content.subarray(0, MEGABYTE)));
      mustResult(await put('large/2', content.subarray(MEGABYTE)));
      mustOk(await putFile(alice, 'whole over HTTP', content));
    }
    assert.deepEqual(await storedObjects(world, 'uploads'), []);
  });

  it('refuses to hand out a larger file before it is charged, and names where it is', async () => {
    const { alice } = world;
    const content = bytesOf(MEGABYTE + 1, 6);
    mustOk(await putFile(alice, 'over HTTP/a b', content));
    await mustBeFree(async () => {
      const answer = await call('files-get', { owner: alice.account, key: 'over HTTP/a b' });
      const refusal = mustRefuseResult(answer, 'file-too-large');
      const path = /to the path (\S+)\. /.exec(String(refusal['hint']))?.[1] ?? '';
      assert.equal(path, filePath(alice, 'over HTTP/a b'));
      assert.doesNotMatch(String(refusal['hint']), /\(tool/);
    });
    const got = mustOk(await alice.get(filePath(alice, 'over HTTP/a b')));
    assert.equal(got['sha256'], sha256Of(content));
  });

  it('refuses a message of 4 MB before it is parsed, whatever else the message names', async () => {
    const { alice } = world;
    const contentBase64 = bytesOf(3 * MEGABYTE, 8).toString('base64');
    const given = { owner: alice.account, key: 'huge', contentBase64 };
    await mustBeFree(async () => {
      const refusal = mustFault(await call('files-put', given), 400, -32_600, null);
      assert.equal(refusal['code'], 'body-too-large');
      const hint = String(refusal['hint']);
      assert.match(hint, /`POST \/api\/v1\/files`.* takes 32 MB over HTTP, and 1 MB over MCP/);
      // The name of an operation with large bodies lets the message in, and not its arguments.
      const smaller = { ...given, contentBase64: contentBase64.slice(0, 2_000_000) };
      const disguised = toolCall('models-chat', 'files-put', smaller);
      const body = mustRefuseResult(await send(world, disguised, { by: alice }), 'body-too-large');
      assert.match(String(body['hint']), /parts of at most .* 1 MB over MCP/);
      mustRefuse(await alice.get(filePath(alice, 'huge')), 404, 'not-found');
    });
    assert.deepEqual(await storedObjects(world, 'uploads'), []);
  });

  it('sends large content of other tools to files, by the tool and its size', async () => {
    const { alice } = world;
    const note = { author: alice.account, spaceId: 'x', content: 'x'.repeat(400_000) };
    const answer = await send(world, toolCall('files-put', 'memory-write', note), { by: alice });
    const hint = String(mustRefuseResult(answer, 'body-too-large')['hint']);
    assert.match(hint, /files` \(tool files-put \{\}\) takes 32 MB over HTTP, and 1 MB over MCP/);
  });

  it('is one file for one idempotency key, over HTTP, MCP and A2A', async () => {
    const { alice } = world;
    const once = { idempotencyKey: 'three-doors' };
    const first = mustResult(await put('once', 'content', once));
    await mustBeFree(async () => {
      const again = { ...first, repeated: true };
      assert.deepEqual(mustOk(await putFile(alice, 'once', 'content', once)), again);
      assert.deepEqual(mustResult(await put('once', 'content', once)), again);
      const contentBase64 = Buffer.from('content').toString('base64');
      const given = { owner: alice.account, key: 'once', contentBase64, ...once };
      const skill = await callSkill(world, '1.0', 'files-put', given, {
        headers: { 'a2a-version': '1.0' },
        by: alice,
      });
      assert.deepEqual(mustComplete(skill, '1.0'), again);
      mustRefuseResult(await put('once', 'other', once), 'idempotency-mismatch');
      mustRefuse(await putFile(alice, 'once', 'other', once), 400, 'idempotency-mismatch');
    });
    const second = mustOk(await putFile(alice, 'twice', 'x', { idempotencyKey: 'http-first' }));
    const repeated = await put('twice', 'x', { idempotencyKey: 'http-first' });
    assert.deepEqual(mustResult(repeated), { ...second, repeated: true });
  });

  it('refuses what is no base64 and no text, charges nothing and keeps nothing', async () => {
    const { alice } = world;
    const stored = await storedObjects(world);
    const given = (contentBase64: unknown): Json => ({
      owner: alice.account,
      key: 'k',
      contentBase64,
    });
    await mustBeFree(async () => {
      for (const text of ['a', 'aGk', 'a-_=', 'aGk=\n', 'a b=', '====', 'é', 'QQ==QUJD'])
        mustRefuseResult(await call('files-put', given(text)), 'bad-base64');
      mustRefuseResult(await call('files-put', given('é'.repeat(500_000))), 'bad-base64');
      for (const value of [7, ['QUJD'], { QUJD: 1 }])
        mustRefuseResult(await call('files-put', given(value)), 'bad-request');
      mustRefuseResult(await call('files-put', given(null)), 'missing-field');
    });
    assert.deepEqual(await storedObjects(world), stored);
    assert.deepEqual(await storedObjects(world, 'uploads'), []);
  });

  it('keeps the files of others out of reach, and keys inside their account', async () => {
    const { alice, bob } = world;
    mustResult(await put('private', 'mine'));
    const owner = alice.account;
    for (const [name, given] of [
      ['files-get', { owner, key: 'private' }],
      ['files-list', { owner }],
      ['files-rename', { owner, key: 'private', to: 'taken' }],
      ['files-delete', { owner, key: 'private' }],
      ['files-put', { owner, key: 'private', contentBase64: 'QUJD' }],
    ] as const) {
      const answer = await call(name, given, bob);
      assert.equal(mustFault(answer, 401, -32_060, 1)['code'], 'wrong-owner', name);
      const unsigned = await send(world, toolCall(1, name, given));
      assert.equal(mustFault(unsigned, 401, -32_060, 1)['code'], 'unsigned', name);
    }
    for (const key of ['../x', 'a/../b', '/etc/passwd', '.', 'k'.repeat(256), 'a\\b'])
      mustRefuseResult(await put(key, 'x'), 'bad-request');
    assert.equal((await tool('files-get', { owner, key: 'private' }))['contentBase64'], 'bWluZQ==');
    assert.deepEqual(await storedObjects(world, 'uploads'), []);
  });

  it('is reached by skills that the card does not list', async () => {
    const { alice } = world;
    const { account: owner } = alice;
    const skill = (name: string, given: Json) =>
      callSkill(world, '1.0', name, given, { headers: { 'a2a-version': '1.0' }, by: alice });
    mustResult(await put('for A2A', 'seen'));
    const got = mustMessage(await skill('files-get', { owner, key: 'for A2A' }));
    assert.equal(got['contentBase64'], Buffer.from('seen').toString('base64'));
    mustOk(await putFile(alice, 'too large', bytesOf(MEGABYTE + 1, 9)));
    mustReject(await skill('files-get', { owner, key: 'too large' }), '1.0', 'file-too-large');
    const card = mustOk(await world.anyone.get('/.well-known/agent-card.json'));
    assert.deepEqual(
      [20, false],
      [(card['skills'] as readonly unknown[]).length, JSON.stringify(card).includes('"files-')],
    );
  });
});
