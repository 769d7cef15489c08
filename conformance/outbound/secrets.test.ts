import assert from 'node:assert/strict';
import { openPort } from '../../workflows/kernel/chain/viemPort.ts';
import { secretsOfSettings } from '../../server/boot/secrets.ts';
import { readSettings } from '../../server/boot/config.ts';
import { parseAddress } from '../../domain/rails/evm.ts';
import { closeWorld, guard, webSite } from './_fixture.ts';

const SECRET = 'Zk81-Qp64-Mv92-Td37';

describe('a secret that the hub sends out', () => {
  afterEach(closeWorld);

  it('is removed from the headers and the body of an answer', async () => {
    const site = await webSite((request, response) => {
      const sent = request.headers.authorization ?? '';
      response.setHeader('www-authenticate', `Bearer error="${sent}"`);
      response.write(`you sent ${sent.slice(0, 15)}`);
      setTimeout(() => response.end(`${sent.slice(15)} and ${sent}, ü`), 20);
    });
    const outbound = guard({ opened: [site] });
    const headers = { authorization: `Bearer ${SECRET}` };
    const answer = await outbound.fetch({ url: site.url, headers });
    assert.ok(answer.kind === 'answer');
    const body = Buffer.from(answer.body).toString();
    assert.match(body, /^you sent Bearer .{0,7}\[redacted\] and Bearer \[redacted\], ü$/);
    assert.deepEqual(answer.headers.get('www-authenticate'), ['Bearer error="Bearer [redacted]"']);
  });

  it('is removed when it is a part of the address that the caller names', async () => {
    const site = await webSite((request, response) => response.end(`no ${request.url}`));
    const outbound = guard({ opened: [site] });
    const url = `${site.url}/v2/${SECRET}/verify`;
    const answer = await outbound.fetch({ url, secrets: [SECRET] });
    assert.ok(answer.kind === 'answer');
    assert.equal(Buffer.from(answer.body).toString(), 'no /v2/[redacted]/verify');
  });

  it('is not in the failure of a chain node whose address has a key', async () => {
    const site = await webSite((request, response) => {
      const error = { code: -32_000, message: `no project ${request.url}` };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
    });
    const token = parseAddress(`0x${'1'.repeat(40)}`);
    assert.ok(token !== undefined);
    const rpc = [`${site.url}/v2/${SECRET}`, `http://127.0.0.1:9/${SECRET}?key=${SECRET}`];
    const port = openPort({ network: 'base', rpc, facts: { chainId: 1, token, confirmations: 1 } });
    for (const asked of [port.head(), port.fees(), port.coinOf(token)]) {
      await assert.rejects(asked, (error: Error) => !error.message.includes(SECRET.slice(0, 8)));
    }
  });

  it('is known to the log, wherever the operator wrote it', () => {
    const secrets = secretsOfSettings(
      readSettings({
        HUB_CHAIN_RPC: `https://node.example/v2/${SECRET}1`,
        HUB_X402_FACILITATOR: `https://pay.example/${SECRET}2`,
        HUB_TRACES_URL: `https://name:${SECRET}3@traces.example/v1/traces`,
        HUB_FILES_S3_BUCKET: 'b',
        HUB_FILES_S3_ACCESS_KEY_ID: 'id',
        HUB_FILES_S3_SECRET_ACCESS_KEY: `${SECRET}4`,
      }),
      { OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${SECRET}5,x-tenant=a` },
    );
    for (const n of [1, 2, 3, 4, 5]) assert.ok(secrets.includes(`${SECRET}${n}`), `${n}`);
  });
});
