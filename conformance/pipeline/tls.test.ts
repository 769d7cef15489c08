import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type SecureVersion } from 'node:tls';
import { freePort } from '../../clients/examples/freePort.ts';
import { newAgent, plain } from '../harness/agents.ts';
import { overTls, type SecureAnswer, type SecureSite } from '../harness/https.ts';
import { startHub, type TestHub } from '../harness/hub.ts';
import { authority } from '../outbound/_certificates.ts';

/** HTTPS of the hub itself (HUB_TLS_CERT and HUB_TLS_KEY): what works without TLS works with it. */
describe('a hub that speaks TLS itself', () => {
  const ca = authority('An authority of this test');
  let folder: string;
  let hub: TestHub;
  let site: SecureSite;
  let place: { readonly url: string; readonly clock: TestHub['clock'] };
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hub-tls-'));
    const { cert, key } = ca.issue(['localhost']);
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
    const port = await freePort();
    const url = `https://localhost:${port}`;
    const env = {
      HUB_PORT: String(port),
      HUB_BASE_URL: url,
      HUB_TLS_CERT: certFile,
      HUB_TLS_KEY: keyFile,
    };
    hub = await startHub({ env });
    site = { name: 'localhost', port, ca: ca.cert };
    place = { url, clock: hub.clock };
  });
  after(async () => {
    await hub.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const send = (request: Request): Promise<SecureAnswer> => overTls(request, site);

  it('says https of itself, and moves money for who signs for that address', async () => {
    assert.equal(new URL(hub.url).protocol, 'https:');
    const [alice, bob] = [await newAgent(place), await newAgent(place)];
    const path = `/api/v1/wallet/${alice.account}`;
    const fund = { amount: '500', idempotencyKey: 'fund' };
    assert.equal((await send(plain(place, 'POST', `${path}/credit`, fund))).status, 200);
    const pay = { to: bob.account, amount: '200', idempotencyKey: 'pay' };
    const paid = await send(await alice.signed('POST', `${path}/pay`, pay));
    assert.equal(paid.status, 200, paid.text);
    const wallet = await send(await alice.signed('GET', path));
    assert.equal(wallet.body['balance'], '300');
    const index = await send(plain(place, 'GET', '/api/v1'));
    assert.ok(index.text.includes(place.url));
    assert.ok(!index.text.includes('http://localhost'));
  });

  it('refuses a signature that was made for another address', async () => {
    const elsewhere = { url: place.url.replace('localhost', '127.0.0.1'), clock: hub.clock };
    const alice = await newAgent(elsewhere);
    const { status, body } = await send(await alice.signed('GET', '/api/v1/me'));
    assert.deepEqual([status, typeof body['code']], [401, 'string']);
  });

  it('refuses connections without TLS, or with an old one', async () => {
    await assert.rejects(fetch(`http://localhost:${site.port}/api/v1`));
    const handshake = async (version: SecureVersion): Promise<unknown> => {
      const { port } = site;
      const versions = { minVersion: version, maxVersion: version };
      const ciphers = 'DEFAULT@SECLEVEL=0';
      const socket = connect({ port, servername: 'localhost', ca: ca.cert, ciphers, ...versions });
      try {
        await once(socket, 'secureConnect');
        return socket.getProtocol();
      } finally {
        socket.destroy();
      }
    };
    await assert.rejects(handshake('TLSv1.1'));
    assert.equal(await handshake('TLSv1.2'), 'TLSv1.2');
    assert.equal(await handshake('TLSv1.3'), 'TLSv1.3');
    await assert.rejects(
      overTls(plain(place, 'GET', '/api/v1'), { ...site, ca: authority('Another').cert }),
    );
  });

  it('refuses what is no HTTP in JSON, inside of the TLS', async () => {
    const socket = connect({ port: site.port, servername: 'localhost', ca: ca.cert });
    await once(socket, 'secureConnect');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write('NO SUCH THING\r\n\r\n');
    await once(socket, 'close');
    assert.match(text, /^HTTP\/1\.1 400 Bad Request\r\n/);
    assert.match(text, /"code":"bad-request"/);
  });

  it('holds a long poll open and takes a body of megabytes', async () => {
    const alice = await newAgent(place);
    const polled = send(await alice.signed('POST', '/api/v1/tasks/claim?wait=1', {}));
    const fund = { amount: '5000000', idempotencyKey: 'fund' };
    await send(plain(place, 'POST', `/api/v1/wallet/${alice.account}/credit`, fund));
    const content = Buffer.alloc(4_000_000, 'x').toString('base64');
    const file = { owner: alice.account, key: 'large', contentBase64: content };
    const large = await send(await alice.signed('POST', '/api/v1/files', file));
    assert.equal(large.status, 200, large.text);
    const { status, body } = await polled;
    assert.deepEqual([status, body['work']], [200, null]);
  });
});
