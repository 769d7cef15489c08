import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIndex } from '../../../domain/search/index.ts';
import { pack } from '../../../domain/search/packing.ts';
import { readState, writeState } from './stateFile.ts';

describe('the file of an index', () => {
  let folder: string;
  let path: string;
  const index = openIndex();
  index.take([[0, 'pier', 0, 'a1', ' pier:300 master:200 ', 1, 0, 0]]);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-test-'));
    path = join(folder, 'state');
  });
  afterEach(() => rm(path, { force: true }));
  after(() => rm(folder, { recursive: true, force: true }));

  it('is read as it was written, once', async () => {
    const { sha256, bytes } = writeState(path, index.state());
    assert.equal((await readFile(path)).length, bytes);
    assert.deepEqual(pack(readState(path, sha256)), pack(index.state()));
    assert.throws(() => writeState(path, index.state()), /EEXIST/);
    assert.throws(() => readState(path, sha256.replace(/^./, 'x')), /damaged/);
  });

  const damage: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
    'its length': (bytes) => flipped(bytes, 0),
    'the high bytes of its length': (bytes) => flipped(bytes, 6),
    'the first letter of its text': (bytes) => flipped(bytes, 8),
    'a number of its text': (bytes) => flipped(bytes, bytes.indexOf('"length":') + 9),
    'the name of an array': (bytes) => flipped(bytes, bytes.indexOf('Float64Array')),
    'its last array': (bytes) => flipped(bytes, bytes.length - 1),
    'all of it after its half': (bytes) => bytes.subarray(0, bytes.length >> 1),
    'all of it after its length': (bytes) => bytes.subarray(0, 8),
    'all of it': () => Buffer.alloc(0),
    'its end, which goes on': (bytes) => Buffer.concat([bytes, Buffer.alloc(1)]),
  };
  for (const [what, change] of Object.entries(damage)) {
    it(`is refused with a damage of ${what}`, async () => {
      const { sha256 } = writeState(path, index.state());
      await writeFile(path, change(await readFile(path)));
      assert.throws(() => readState(path, sha256));
    });
  }
});

function flipped(bytes: Buffer, at: number): Buffer {
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}
