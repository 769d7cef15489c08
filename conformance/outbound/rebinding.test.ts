import assert from 'node:assert/strict';
import type { Endpoint } from '../../workflows/kernel/outbound/connect.ts';
import { authority } from './_certificates.ts';
import { served, type Zone } from './_dns.ts';
import {
  closeWorld,
  ending,
  guard,
  names,
  PUBLIC_ADDRESS,
  rawSite,
  secureSite,
  type Place,
} from './_fixture.ts';

const NAME = 'agent.example.com';
const URL = `https://${NAME}/card`;

describe('outside: names that change their minds', () => {
  const ca = authority('Test Authority');
  let canary: Place;
  let site: Place;
  let dialled: string[] = [];

  beforeEach('open a site and a canary', async () => {
    dialled = [];
    canary = await rawSite((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    site = await secureSite(ca.issue([NAME]), (request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: '/card' });
      response.end(request.headers.host);
    });
  });
  afterEach(closeWorld);

  /** Maps a public address to the site, and any other address to the canary. */
  const endpoint = (address: string): Endpoint => {
    dialled.push(address);
    return { host: '127.0.0.1', port: address === PUBLIC_ADDRESS ? site.port : canary.port };
  };
  const world = (...answers: readonly (readonly string[])[]) => {
    let asked = 0;
    const known = names({ [NAME]: () => answers[Math.min(asked++, answers.length - 1)] ?? [] });
    const outbound = guard({ resolver: known, endpoint, ca: ca.cert });
    return { outbound, asked: () => asked };
  };

  it('are dialled at the address that was checked, with their name in Host and in TLS', async () => {
    const { outbound, asked } = world([PUBLIC_ADDRESS], ['127.0.0.1']);
    const outcome = await outbound.fetch({ url: URL });
    assert.ok(outcome.kind === 'answer', JSON.stringify(outcome));
    assert.equal(Buffer.from(outcome.body).toString(), NAME);
    assert.equal(outcome.address, PUBLIC_ADDRESS);
    assert.equal(outcome.finalUrl, URL);
    assert.equal(asked(), 1, 'one answer is both checked and dialled');
    assert.equal(ending(await outbound.fetch({ url: URL })), 'refused-address');
    assert.deepEqual(dialled, [PUBLIC_ADDRESS], 'a kept connection is not used either');
    assert.equal(canary.connections(), 0);
  });

  it('are asked again for each redirect', async () => {
    const { outbound, asked } = world([PUBLIC_ADDRESS], ['10.0.0.7']);
    assert.equal(ending(await outbound.fetch({ url: `https://${NAME}/away` })), 'refused-address');
    assert.equal(asked(), 2);
    assert.deepEqual(dialled, [PUBLIC_ADDRESS]);
  });

  it('are refused whole when any one address is not public', async () => {
    const many = Array.from({ length: 63 }, (_, n) => `9.9.1.${n}`);
    const mixed: readonly (readonly string[])[] = [
      [PUBLIC_ADDRESS, '127.0.0.1'],
      ['127.0.0.1', PUBLIC_ADDRESS],
      [PUBLIC_ADDRESS, '::1'],
      [PUBLIC_ADDRESS, '::ffff:9.9.9.9'],
      [PUBLIC_ADDRESS, '169.254.169.254'],
      [PUBLIC_ADDRESS, 'fe80::1%eth0'],
      [PUBLIC_ADDRESS, 'internal.example.com'],
      [PUBLIC_ADDRESS, '127.1'],
      [PUBLIC_ADDRESS, ''],
      [...many, '192.168.0.1'],
    ];
    for (const answer of mixed) {
      const { outbound } = world(answer);
      assert.equal(ending(await outbound.fetch({ url: URL })), 'refused-address', answer.join());
    }
    const { outbound } = world([...many, '9.9.2.1', '9.9.2.2']);
    assert.equal(ending(await outbound.fetch({ url: URL })), 'dns', 'more records than 64');
    assert.deepEqual(dialled, []);
    assert.equal(canary.connections(), 0);
  });

  it('are failures of DNS without an address, or without a name server', async () => {
    assert.equal(ending(await world([]).outbound.fetch({ url: URL })), 'dns');
    const silent = {
      untrusted: () => Promise.reject(new Error('ETIMEOUT')),
      trusted: () => Promise.reject(new Error()),
      texts: () => Promise.reject(new Error()),
    };
    assert.equal(ending(await guard({ resolver: silent }).fetch({ url: URL })), 'dns');
    const hanging = { ...silent, untrusted: () => new Promise<never>(() => undefined) };
    const slow = await guard({ resolver: hanging }).fetch({ url: URL, limits: { totalMs: 60 } });
    assert.equal(ending(slow), 'timeout');
  });

  it('go on to the next address when one cannot be reached', async () => {
    const gone = await rawSite(() => undefined);
    await closeWorld();
    site = await secureSite(ca.issue([NAME]), (_, response) => response.end());
    const known = names({ [NAME]: ['9.9.9.1', '9.9.9.2', PUBLIC_ADDRESS] });
    const via = (address: string): Endpoint => {
      dialled.push(address);
      const port = address === PUBLIC_ADDRESS ? site.port : gone.port;
      return { host: '127.0.0.1', port };
    };
    const outcome = await guard({ resolver: known, endpoint: via, ca: ca.cert }).fetch({
      url: URL,
    });
    assert.ok(outcome.kind === 'answer');
    assert.equal(outcome.address, PUBLIC_ADDRESS);
    assert.deepEqual(dialled, ['9.9.9.1', '9.9.9.2', PUBLIC_ADDRESS]);
  });
});

describe('outside: the system’s names', () => {
  const zone: Zone = {
    'both.example.com': { a: ['9.9.9.9'], aaaa: ['2620:fe:0:0:0:0:0:fe'] },
    'six.example.com': { aaaa: ['2620:fe:0:0:0:0:0:fe'] },
    'alias.example.com': { cname: 'inner.example.com' },
    'inner.example.com': { a: ['10.0.0.9'] },
    'mixed.example.com': { a: ['9.9.9.9', '127.0.0.1'] },
    'empty.example.com': {},
  };
  const system = served(zone);
  afterEach(closeWorld);

  it('ask for addresses of both families and follow aliases', async () => {
    assert.deepEqual(await system().untrusted('both.example.com'), ['9.9.9.9', '2620:fe::fe']);
    assert.deepEqual(await system().untrusted('six.example.com'), ['2620:fe::fe']);
    assert.deepEqual(await system().untrusted('alias.example.com'), ['10.0.0.9']);
    assert.deepEqual(await system().untrusted('empty.example.com'), []);
    assert.deepEqual(await system().untrusted('none.example.com'), []);
  });

  it('refuse an alias of a private name and a mix, and recognise a name without addresses', async () => {
    const outbound = guard({ resolver: system() });
    const end = async (host: string) => ending(await outbound.fetch({ url: `https://${host}/` }));
    assert.equal(await end('alias.example.com'), 'refused-address');
    assert.equal(await end('mixed.example.com'), 'refused-address');
    assert.equal(await end('empty.example.com'), 'dns');
    assert.equal(await end('none.example.com'), 'dns');
  });

  it('read the table of this machine for the operator alone', async () => {
    assert.deepEqual(await system().untrusted('localhost'), []);
    const own = await system().trusted('localhost');
    assert.ok(own.includes('127.0.0.1') || own.includes('::1'));
  });
});
