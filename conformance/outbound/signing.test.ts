import assert from 'node:assert/strict';
import { policyAt } from '../../domain/httpsig/fixture.ts';
import { inspect } from '../../domain/httpsig/inspect.ts';
import type { RawRequest } from '../../domain/httpsig/message.ts';
import { hubKey } from '../../workflows/kernel/keys/ed25519.ts';
import { HubError } from '../../workflows/kernel/errors.ts';
import type { OutboundRequest } from '../../workflows/kernel/outbound/outcome.ts';
import { systemClock } from '../../workflows/kernel/systemClock.ts';
import { BASE_URL, closeWorld, ending, guard, HUB_SEED, webSite, type Place } from './_fixture.ts';

describe('outside: who calls', () => {
  let received: RawRequest[] = [];
  let site: Place;

  beforeEach('open a site', async () => {
    received = [];
    site = await webSite((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const { method = '', url: target = '', rawHeaders: headers } = request;
        received.push({ method, target, headers, body: Buffer.concat(pieces) });
        response.end();
      });
    });
  });
  afterEach(closeWorld);

  const send = async (request: Partial<OutboundRequest>): Promise<RawRequest> => {
    const outcome = await guard({ opened: [site] }).fetch({ url: `${site.url}/a/b`, ...request });
    assert.equal(ending(outcome), 200);
    const last = received.at(-1);
    assert.ok(last !== undefined);
    return last;
  };
  const header = ({ headers }: RawRequest, name: string): string | undefined => {
    const at = headers.findIndex((each, n) => n % 2 === 0 && each.toLowerCase() === name);
    return at === -1 ? undefined : headers[at + 1];
  };
  const verdict = (request: RawRequest) =>
    inspect(request, policyAt(Date.now() / 1000, { origins: [site.url] }));

  it('a signed request satisfies the hub’s own verifier, with the host and the agent covered', async () => {
    const dependencies: readonly Partial<OutboundRequest>[] = [
      {},
      { url: `${site.url}/a%2Fb/../c?q=1&r=%20+` },
      {
        method: 'POST',
        body: Buffer.from('{"a":1}'),
        headers: { 'content-type': 'application/json' },
      },
      { method: 'POST' },
      { method: 'DELETE', headers: { 'x-payment': 'abc' } },
    ];
    for (const way of dependencies) {
      const request = await send({ ...way, sign: true });
      const checked = verdict(request);
      assert.ok(checked.kind === 'verified', JSON.stringify(checked));
      assert.equal(checked.keyId, hubKey(HUB_SEED).keyId);
      for (const name of ['@method', '@authority', '@path', 'signature-agent']) {
        assert.ok(checked.covered.includes(name), name);
      }
      assert.equal(checked.covered.includes('content-digest'), request.body.length > 0);
      assert.equal(
        checked.covered.includes('x-payment'),
        header(request, 'x-payment') !== undefined,
      );
      assert.equal(header(request, 'signature-agent'), `sig2="${BASE_URL}"`);
    }
  });

  it('a changed byte, and another host, are noticed', async () => {
    const request = await send({ method: 'POST', body: Buffer.from('{"a":1}'), sign: true });
    assert.notEqual(verdict({ ...request, body: Buffer.from('{"a":2}') }).kind, 'verified');
    assert.notEqual(verdict({ ...request, target: '/a/c' }).kind, 'verified');
    const headers = request.headers.map((text) =>
      text === site.pair ? 'other.example.com' : text,
    );
    assert.notEqual(verdict({ ...request, headers }).kind, 'verified');
  });

  it('an unsigned request carries no signature; every request says who calls and where to read', async () => {
    const request = await send({});
    for (const name of ['signature', 'signature-input', 'signature-agent', 'content-digest']) {
      assert.equal(header(request, name), undefined, name);
    }
    const agent = header(request, 'user-agent') ?? '';
    assert.match(
      agent,
      /^AgentExchangeHub\/\d+\.\d+\.\d+ \(\+https:\/\/hub\.example\.com\/docs\)$/,
    );
    assert.equal(header(request, 'accept'), '*/*');
    assert.equal(header(await send({ headers: { accept: 'text/plain' } }), 'accept'), 'text/plain');
  });

  it('a hub that cannot sign now makes no call', async () => {
    const key = (): never => {
      throw new HubError('busy', { error: 'no key' }, {});
    };
    const outbound = guard({ opened: [site], key, clock: systemClock });
    assert.equal(ending(await outbound.fetch({ url: site.url, sign: true })), 'busy');
    assert.equal(site.connections(), 0);
    assert.equal(ending(await outbound.fetch({ url: site.url })), 200);
  });
});
