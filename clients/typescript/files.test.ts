import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { refusalStep, scriptedHub, type ScriptedHub, type Step } from './fixture.ts';
import { createHub, generateKey, isRefusal, storeFile, taskFile } from './index.ts';
import type { Hub } from './index.ts';

const TASK = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
const BYTES = Uint8Array.from({ length: 10 }, (_, at) => at + 1);

describe('files of tasks', () => {
  let scripted: ScriptedHub;
  let hub: Hub;
  before(async () => {
    scripted = await scriptedHub();
    hub = createHub({ baseUrl: scripted.baseUrl, key: await generateKey(), retry: false });
  });
  after(() => scripted.close());

  const bodies = (): readonly unknown[] =>
    scripted.received().map(({ method, target, body }) => {
      const { key, parts } = (body ?? {}) as { readonly key?: string; readonly parts?: unknown[] };
      return [method, target.split('?')[0]?.split('/').at(-1), key, parts?.length];
    });

  it('stores a small file in one call', async () => {
    scripted.play(put('a', BYTES));
    const file = await storeFile(hub, 'a', BYTES, { mediaType: 'text/plain' });
    assert.deepEqual(file, { ...named('a', BYTES), mediaType: 'text/plain' });
    const [{ body } = { body: undefined }] = scripted.received();
    const { contentBase64 } = body as { readonly contentBase64: string };
    assert.equal(contentBase64, Buffer.from(BYTES).toString('base64'));
  });

  it('sends the parts that are missing, joins all, and deletes them', async () => {
    const parts = [BYTES.subarray(0, 4), BYTES.subarray(4, 8), BYTES.subarray(8)];
    const there = { key: 'a.part-1', sha256: sha256(parts[1]), bytes: 4, owner: 'me', at: 'now' };
    const list = { status: 200, body: { files: [there], hasMore: false } };
    scripted.play(list, put('a.part-0', parts[0]), put('a.part-2', parts[2]), put('a', BYTES));
    assert.deepEqual(await storeFile(hub, 'a', BYTES, { partBytes: 4 }), named('a', BYTES));
    assert.deepEqual(
      bodies().map((each) => JSON.stringify(each)),
      [
        ['GET', encodeURIComponent(hub.account ?? ''), undefined, undefined],
        ['POST', 'files', 'a.part-0', undefined],
        ['POST', 'files', 'a.part-2', undefined],
        ['POST', 'files', 'a', 3],
        ...Array.from({ length: 3 }, () => ['POST', 'delete', undefined, undefined]),
      ].map((each) => JSON.stringify(each)),
    );
  });

  it('reads in parts, goes on behind a cut, and compares the digest', async () => {
    scripted.play(part(0, 4), 'hang-up', part(4, 4), part(8, 4));
    const read = await taskFile(hub, TASK, sha256(BYTES), { partBytes: 4 });
    assert.deepEqual(read, BYTES);
    const offsets = scripted.received().map(({ target }) => /offset=(\d+)/.exec(target)?.[1]);
    assert.deepEqual(offsets, ['0', '4', '4', '8']);
    scripted.play(part(0, 10));
    await assert.rejects(taskFile(hub, TASK, 'f'.repeat(64)), /do not have the digest f+/);
  });

  it('reports what is there, and stops between two parts', async () => {
    const first = BYTES.subarray(0, 4);
    const there = { key: 'a.part-0', sha256: sha256(first), bytes: 4, owner: 'me', at: 'now' };
    const list = { status: 200, body: { files: [there], hasMore: false } };
    scripted.play(list, put('a.part-1', BYTES.subarray(4, 8)));
    const leaving = new AbortController();
    const seen: number[] = [];
    const onPart = (done: number): void => {
      seen.push(done);
      if (done === 8) leaving.abort();
    };
    const { signal } = leaving;
    await assert.rejects(storeFile(hub, 'a', BYTES, { partBytes: 4, onPart, signal }), /abort/i);
    assert.deepEqual(seen, [4, 8], 'the part of the earlier try counts from the beginning');
    assert.equal(scripted.received().length, 2);
  });

  it('goes on behind the parts of a download that was ended', async () => {
    scripted.play(part(0, 4));
    const leaving = new AbortController();
    const parts: Uint8Array[] = [];
    const onPart = (done: number): void => {
      if (done === 4) leaving.abort();
    };
    const options = { partBytes: 4, parts, onPart, signal: leaving.signal };
    await assert.rejects(taskFile(hub, TASK, sha256(BYTES), options), /abort/i);
    scripted.play(part(4, 6));
    assert.deepEqual(await taskFile(hub, TASK, sha256(BYTES), { parts }), BYTES);
    const offsets = scripted.received().map(({ target }) => /offset=(\d+)/.exec(target)?.[1]);
    assert.deepEqual(offsets, ['4']);
  });

  it('asks once where the hub refuses', async () => {
    scripted.play(refusalStep(404, 'not-found'));
    await assert.rejects(taskFile(hub, TASK, sha256(BYTES)), (error) =>
      isRefusal(error, 'not-found'),
    );
    assert.equal(scripted.received().length, 1);
  });
});

function sha256(bytes: Uint8Array = BYTES): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function named(key: string, bytes: Uint8Array) {
  return { owner: 'me', key, sha256: sha256(bytes) };
}

function put(key: string, bytes: Uint8Array = BYTES): Step {
  return { status: 200, body: named(key, bytes) };
}

function part(offset: number, length: number): Step {
  const bytes = BYTES.subarray(offset, offset + length);
  const end = offset + bytes.length;
  const contentBase64 = Buffer.from(bytes).toString('base64');
  return { status: 200, body: { contentBase64, ...(end < BYTES.length && { nextOffset: end }) } };
}
