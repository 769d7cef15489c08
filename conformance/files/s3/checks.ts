import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { mustOk } from '../../harness/must.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { bytesOf, filePath, putFile, sha256Of } from '../file.ts';

/** Run by `run.mjs`, which starts a server: files in a bucket instead of a folder. */
const given = (name: string): string => {
  const value = process.env[name];
  assert.ok(value !== undefined, `${name} is set by run.mjs`);
  return value;
};
const BUCKET = 'hub-files';
const PREFIX = 'tests/';

describe('files in an S3 bucket', function suite() {
  this.timeout(120_000);
  let world: Fixture;
  const names = async (): Promise<readonly string[]> =>
    readdir(join(given('S3_FOLDER'), BUCKET, PREFIX)).catch(() => []);
  const has = async (content: Buffer): Promise<boolean> =>
    (await names()).some((name) => name.startsWith(sha256Of(content)));
  before(async () => {
    const [endpoint, accessKeyId, secretAccessKey] = ['S3_ENDPOINT', 'S3_ACCESS', 'S3_SECRET'].map(
      given,
    ) as [string, string, string];
    const credentials = { accessKeyId, secretAccessKey };
    const client = new S3Client({
      endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials,
    });
    await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
    client.destroy();
    world = await openFixture({
      env: {
        HUB_FILES_S3_BUCKET: BUCKET,
        HUB_FILES_S3_ENDPOINT: endpoint,
        HUB_FILES_S3_PREFIX: PREFIX,
        HUB_FILES_S3_ACCESS_KEY_ID: accessKeyId,
        HUB_FILES_S3_SECRET_ACCESS_KEY: secretAccessKey,
      },
    });
    await world.fund(world.alice, '1000000');
  });
  after(() => world.close());

  it('are stored, kept once, replaced and read, small, empty and of 32 MB', async () => {
    const { alice } = world;
    for (const bytes of [0, 1, 70_000, 32 * 1_048_576]) {
      const content = bytesOf(bytes, bytes + 3);
      mustOk(await putFile(alice, `size ${bytes}`, content));
      mustOk(await putFile(alice, `again ${bytes}`, content));
      const got = mustOk(await alice.get(filePath(alice, `size ${bytes}`)));
      assert.equal(
        sha256Of(Buffer.from(String(got['contentBase64']), 'base64')),
        sha256Of(content),
      );
    }
    assert.equal((await names()).length, 4);
  });

  it('are copied into files of this machine', async () => {
    const content = bytesOf(300_000, 5);
    mustOk(await putFile(world.alice, 'copied', content));
    const [object = ''] = (await names()).filter((name) => name.startsWith(sha256Of(content)));
    const { files } = world.hub.running.hub;
    const path = join(files.uploads, 'copy');
    await files.copy(object, path);
    assert.equal(sha256Of(await readFile(path)), sha256Of(content));
    await assert.rejects(files.copy(object, path), /EEXIST/);
    await assert.rejects(files.copy(`${object}0`, `${path} of nothing`));
  });

  it('are swept when no file has them', async () => {
    const { alice, hub } = world;
    const [old, now] = [bytesOf(900, 1), bytesOf(900, 2)];
    mustOk(await putFile(alice, 'k', old));
    mustOk(await putFile(alice, 'k', now));
    assert.ok((await has(old)) && (await has(now)));
    hub.clock.advance(3_601);
    await hub.runJob('fileSweep');
    assert.deepEqual([await has(old), await has(now)], [false, true]);
    mustOk(await alice.get(filePath(alice, 'k')));
  });

  it('cost nothing when the bucket does not answer', async () => {
    const { alice } = world;
    mustOk(await putFile(alice, 'lost', bytesOf(300, 4)));
    const [object] = (await names()).filter((name) => name.startsWith(sha256Of(bytesOf(300, 4))));
    await world.hub.running.hub.files.remove(String(object));
    const wallet = `/api/v1/wallet/${alice.account}`;
    const before = mustOk(await alice.get(wallet))['balance'];
    assert.equal((await alice.get(filePath(alice, 'lost'))).status, 500);
    assert.equal(mustOk(await alice.get(wallet))['balance'], before);
  });
});
