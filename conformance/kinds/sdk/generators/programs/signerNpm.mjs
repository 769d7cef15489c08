/** http-message-signatures of npm: signs what `fetch` sends. */
import { createHash, createPrivateKey, randomUUID } from 'node:crypto';
import { createSigner, httpbis } from 'http-message-signatures';

const { HUB_URL, HUB_KEY_ID, HUB_SEED } = process.env;
const DER_HEAD = '302e020100300506032b657004220420';
const secret = createPrivateKey({
  key: Buffer.from(DER_HEAD + HUB_SEED, 'hex'),
  format: 'der',
  type: 'pkcs8',
});
const key = createSigner(secret, 'ed25519', HUB_KEY_ID);
const params = ['keyid', 'alg', 'created', 'expires', 'nonce'];

async function signed(method, path, body) {
  const headers = { host: new URL(HUB_URL).host };
  const fields = ['@method', '@target-uri'];
  if (body !== undefined) {
    const digest = createHash('sha512').update(body).digest('base64');
    headers['content-digest'] = `sha-512=:${digest}:`;
    headers['content-type'] = 'application/json';
    fields.push('content-digest');
  }
  const request = { method, url: `${HUB_URL}${path}`, headers };
  const paramValues = { nonce: randomUUID() };
  const ready = await httpbis.signMessage({ key, fields, params, paramValues }, request);
  return (await fetch(ready.url, { method, headers: ready.headers, body })).json();
}

const work = await signed('GET', '/api/v1/me/work?role=worker&limit=2');
console.log(`read ${JSON.stringify(work)}`);
const owner = `key:${HUB_KEY_ID}`;
const space = JSON.stringify({ owner, name: 'http-message-signatures' });
console.log(`wrote ${JSON.stringify(await signed('POST', '/api/v1/memory/spaces', space))}`);
