import assert from 'node:assert/strict';
import type { OutboundRequest } from '../../workflows/kernel/outbound/outcome.ts';
import { hostileUrls } from './_hostile.ts';
import { closeWorld, ending, guard, names, rawSite, webSite, type Place } from './_fixture.ts';

const REFUSED = ['refused-url', 'refused-address', 'bad-redirect'];
const URLS_MIN = 150;

describe('outside: hostile URLs', () => {
  let canaries: readonly Place[] = [];
  let asked: string[] = [];

  beforeEach('open the canaries', async () => {
    const cry = (socket: { end: (text: string) => void }): void =>
      socket.end('HTTP/1.1 200 OK\r\n\r\n');
    canaries = [await rawSite(cry), await rawSite(cry, '::1')];
    asked = [];
  });
  afterEach(closeWorld);

  /**
   * Every name that is asked resolves to this machine, as an attacker's own name server can have
   * it.
   */
  const traitor = () => {
    const home = names({ '*': ['127.0.0.1', '::1'] });
    const note = (host: string): Promise<readonly string[]> => {
      asked.push(host);
      return home.untrusted(host);
    };
    return { ...home, untrusted: note };
  };
  const nobodyCame = (): void => {
    for (const { connections, pair } of canaries) assert.equal(connections(), 0, pair);
  };
  const all = (): readonly string[] => canaries.flatMap(({ port }) => hostileUrls(port));

  it('reach nothing, with plain http allowed or not, with a body and signed', async () => {
    const outbound = guard({ resolver: traitor() });
    assert.ok(new Set(hostileUrls(1)).size >= URLS_MIN, `${new Set(hostileUrls(1)).size} URLs`);
    const dependencies: readonly Partial<OutboundRequest>[] = [
      { plainHttp: true },
      {},
      { plainHttp: true, method: 'POST', body: Buffer.from('{}'), sign: true },
    ];
    for (const url of all()) {
      for (const way of dependencies) {
        const outcome = await outbound.fetch({ ...way, url });
        assert.ok(REFUSED.includes(String(ending(outcome))), `${url}: ${ending(outcome)}`);
        assert.ok(outcome.kind === 'failed' && /^\S.{15,500}\.$/s.test(outcome.message), url);
      }
    }
    nobodyCame();
    assert.deepEqual(outbound.report(), { calls: 0, attempts: 0, idle: 0 });
  });

  it('reach nothing as a redirect from a site that may be called', async () => {
    const urls = all().filter((url) => /^[A-Za-z+]+:|^[/\\]{2}/.test(url) && !/[\r\n\0]/.test(url));
    const site = await webSite((request, response) => {
      const at = Number(request.url?.slice(1));
      response.writeHead(302, { location: Buffer.from(urls[at] ?? '').toString('latin1') }).end();
    });
    const outbound = guard({ resolver: traitor(), opened: [site] });
    assert.ok(urls.length >= URLS_MIN);
    for (const [at, location] of urls.entries()) {
      const outcome = await outbound.fetch({ url: `${site.url}/${at}`, plainHttp: true });
      assert.ok(REFUSED.includes(String(ending(outcome))), `${location}: ${ending(outcome)}`);
    }
    assert.equal(site.connections(), urls.length);
    nobodyCame();
  });

  it('are never put to a name server when they hold an address or a local name', async () => {
    const outbound = guard({ resolver: traitor() });
    for (const url of all()) await outbound.fetch({ url, plainHttp: true });
    const odd = asked.filter((host) => !/^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.[a-z]+$/.test(host));
    assert.deepEqual(odd, []);
    assert.ok(!asked.some((host) => /(local|internal|localhost|arpa|onion)$/.test(host)));
    nobodyCame();
  });

  it('are judged without a call where the URL alone suffices', () => {
    const outbound = guard({});
    const passed = all().flatMap((url) => {
      const verdict = outbound.judge(url, true);
      return verdict.ok ? [verdict.target.host] : [];
    });
    // Names like any other, until they are resolved. Runtimes differ in the Punycode that they accept.
    const names = passed.filter((host) => !host.startsWith('xn--'));
    assert.deepEqual([...new Set(names)].sort(), [
      '127.0.0.1.nip.io',
      '7f000001.sslip.io',
      'kubernetes.default.svc',
      'localtest.me',
      'spoofed.burpcollaborator.net',
    ]);
    assert.ok(outbound.judge('https://agent.example.com/a?b=c#d').ok);
    assert.ok(outbound.judge('https://[2606:4700:4700::1111]:8443/').ok);
    assert.ok(!outbound.judge('http://agent.example.com/').ok);
    assert.ok(outbound.judge('http://agent.example.com/', true).ok);
  });
});

describe('outside: opened pairs', () => {
  afterEach(closeWorld);
  const hello = () => webSite((_, response) => response.end('hello'));

  it('reach exactly the host and port that were named', async () => {
    const [site, other] = [await hello(), await hello()];
    const v6 = await rawSite((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'), '::1');
    const known = names({ 'agents.lan': ['127.0.0.1'] });
    const pair = `agents.lan:${other.port}`;
    const outbound = guard({ resolver: known, opened: [site, v6, pair] });
    assert.equal(ending(await outbound.fetch({ url: `${site.url}/` })), 200);
    assert.equal(ending(await outbound.fetch({ url: `${v6.url}/` })), 200);
    assert.equal(ending(await outbound.fetch({ url: `http://${pair}/` })), 200);
    const before = other.connections();
    for (const url of [
      other.url,
      `http://localhost:${site.port}/`,
      `http://127.0.0.2:${site.port}/`,
      `http://127.1:${site.port}/`,
      `http://[::ffff:127.0.0.1]:${site.port}/`,
      `http://[::1]:${site.port}/`,
      `http://agents.lan:${site.port}/`,
      `http://x.agents.lan:${other.port}/`,
    ]) {
      const outcome = await outbound.fetch({ url, plainHttp: true });
      assert.ok(['refused-url', 'refused-address', 'dns'].includes(String(ending(outcome))), url);
    }
    assert.equal(other.connections(), before);
    assert.equal(site.connections(), 1);
  });

  it('do not open what hands out credentials, whatever the name leads to', async () => {
    for (const address of ['169.254.169.254', 'fd00:ec2::254', '0.0.0.0', '::ffff:127.0.0.1']) {
      const known = names({ 'agents.lan': [address] });
      const outbound = guard({
        resolver: known,
        opened: ['agents.lan:8080', '169.254.169.254:80'],
      });
      const outcome = await outbound.fetch({ url: 'http://agents.lan:8080/' });
      assert.equal(ending(outcome), 'refused-address', address);
      const literal = await outbound.fetch({ url: 'http://169.254.169.254/' });
      assert.equal(ending(literal), 'refused-address');
    }
  });
});
