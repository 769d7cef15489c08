import assert from 'node:assert/strict';
import { parseHostAllowList } from './hostAllowList.ts';
import { addressMessage, judgeTarget, type TargetPolicy } from './target.ts';

const policy = (opened = '', plainHttp = false): TargetPolicy => {
  const list = parseHostAllowList(opened);
  assert.ok(list !== undefined);
  return { opened: list, plainHttp };
};
const CLOSED = policy();
const passes = (text: string, given = CLOSED): void => {
  const verdict = judgeTarget(text, given);
  assert.ok(verdict.ok, `${text.slice(0, 80)}: ${verdict.ok ? '' : verdict.message}`);
};
const mustFail = (text: string, message: string, given = CLOSED): void =>
  assert.deepEqual(judgeTarget(text, given), { ok: false, reason: 'refused-url', message });
const mustLead = (text: string, message: string, given = CLOSED): void =>
  assert.deepEqual(judgeTarget(text, given), { ok: false, reason: 'refused-address', message });

const LETTERS =
  'The URL holds spaces, control characters or letters outside ASCII; percent-encode the path ' +
  'and write the host in its xn-- form.';
const NO_HOST = 'The URL has no host in plain notation.';
const NO_SCHEME = 'The URL does not begin with https:// or http://.';

describe('a URL that may be called', () => {
  it('is taken apart without its fragment', () => {
    const verdict = judgeTarget('HTTPS://Agent.Example.com:8443/a/b?c=d&e#f', CLOSED);
    assert.deepEqual(verdict, {
      ok: true,
      target: {
        scheme: 'https',
        host: 'agent.example.com',
        port: 8443,
        authority: 'agent.example.com:8443',
        origin: 'https://agent.example.com:8443',
        path: '/a/b',
        query: 'c=d&e',
        pathAndQuery: '/a/b?c=d&e',
        url: 'https://agent.example.com:8443/a/b?c=d&e',
        isAddress: false,
        opened: false,
      },
    });
  });

  it('has the default port of its scheme, a path, and no query behind a bare sign', () => {
    const targetOf = (text: string, given?: TargetPolicy) => {
      const verdict = judgeTarget(text, given ?? CLOSED);
      assert.ok(verdict.ok, text);
      const { scheme, port, authority, query, url } = verdict.target;
      return [scheme, port, authority, query, url];
    };
    const [secure, plain] = ['https://a.example.com', 'http://a.example.com'];
    const bare = ['https', 443, 'a.example.com', undefined, `${secure}/`];
    for (const text of [secure, `${secure}/`, `${secure}:443/`, `${secure}?`, `${secure}#x`]) {
      assert.deepEqual(targetOf(text), bare, text);
    }
    const http = ['http', 80, 'a.example.com', undefined, `${plain}/`];
    for (const text of [plain, `${plain}:80/`]) {
      assert.deepEqual(targetOf(text, policy('', true)), http, text);
    }
    assert.deepEqual(targetOf(`${plain}:443/`, policy('', true))[1], 443);
  });

  it('is an IPv6 address in any legal spelling, without brackets', () => {
    const verdict = judgeTarget('https://[2606:4700:4700:0:0:0:0:1111]:8443/', CLOSED);
    assert.ok(verdict.ok);
    const { host, authority, isAddress } = verdict.target;
    assert.deepEqual(
      [host, authority, isAddress],
      ['2606:4700:4700::1111', '[2606:4700:4700::1111]:8443', true],
    );
    const four = judgeTarget('https://9.9.9.9/', CLOSED);
    assert.ok(four.ok && four.target.isAddress && four.target.host === '9.9.9.9');
  });
});

describe('a URL that is refused by its text', () => {
  it('is longer than 4,096 characters', () => {
    const long = (length: number): string => 'https://a.example.com/'.padEnd(length, 'a');
    passes(long(4_096));
    mustFail(long(4_097), 'The URL is longer than 4096 characters.');
  });

  it('holds what another reader may read otherwise', () => {
    for (const text of [
      '',
      ' https://a.example.com',
      'https://a.example.com/ b',
      'https://é.com',
    ]) {
      mustFail(text, LETTERS);
    }
    for (const text of ['https://a.example.com/\n', 'https://a.example.com/\x7f']) {
      mustFail(text, LETTERS);
    }
    mustFail('https:\\\\a.example.com', 'The URL holds a backslash.');
    mustFail('https://a.example.com/\\', 'The URL holds a backslash.');
  });

  it('has another scheme or none', () => {
    const texts = [
      ...['ftp://a.example.com/', 'httpss://a.example.com/', 'xhttps://a.example.com/'],
      ...['a.example.com', '//a.example.com/', 'https:a.example.com', 'https:/a.example.com/'],
      ...['1http://a.example.com/', 'x-https://a.example.com/', '/https://a.example.com/'],
    ];
    for (const text of texts) mustFail(text, NO_SCHEME);
  });

  it('holds a user or a password', () => {
    for (const user of ['', 'a', 'a:b', ':']) {
      mustFail(`https://${user}@a.example.com/`, 'The URL holds a user name or password.');
    }
    passes('https://a.example.com/@b?c=d@e');
  });

  it('has no host, or one that is no name and no address', () => {
    const hosts = ['', ':80', 'a%2eb.com', 'a.example.com:', 'a.example.com:x', 'a.com:123456'];
    for (const host of hosts) mustFail(`https://${host}/`, NO_HOST);
    for (const host of ['[::1', '[::g]', 'a.example.com:65536', '1.2.3.256', 'a.0x1', 'x[::1]']) {
      mustFail(`https://${host}/`, NO_HOST);
    }
    mustFail('https://a.example.com:0/', 'Port 0 cannot be called.');
  });

  it('has a host that is longer than 253 characters', () => {
    const host = (length: number): string => 'a.'.repeat(124).concat('b').padEnd(length, 'c');
    passes(`https://${host(253)}/`);
    mustFail(`https://${host(254)}/`, 'The host of the URL is longer than 253 characters.');
  });

  it('spells its host in another way than the host is called', () => {
    for (const host of ['0x7f.1', '2130706433', '0177.0.0.1', '127.1', 'a.example.com.', '9.9.9']) {
      mustFail(
        `https://${host}/`,
        `The host ${host} is not in plain notation; write four decimal numbers or a name without ` +
          'a dot at its end.',
      );
    }
  });
});

describe('a name that is refused', () => {
  it('has a label that no host has', () => {
    const label = 'a'.repeat(63);
    for (const name of [`${label}.com`, 'a-b.com', '_a.b_.com', '1.a2.com', 'a.b.co']) {
      passes(`https://${name}/`);
    }
    for (const name of [`${label}a.com`, '-a.com', 'a-.com', 'a..com', '.a.com']) {
      mustFail(`https://${name}/`, `${name} is not a host name.`);
    }
    mustFail('https://-a.lan:8080/', '-a.lan is not a host name.', policy('-a.lan:8080'));
  });

  it('is a single label, unless the operator opened it', () => {
    mustFail('https://printer/', 'printer is not a public name; write the whole name.');
    passes('http://printer:9100/', policy('printer:9100'));
  });

  it('is for local use, itself or as an ending', () => {
    const suffixes = [
      ...['localdomain', 'local', 'lan', 'internal', 'home.arpa', 'onion', 'invalid'],
      ...['test', 'example', 'alt', 'localhost'],
    ];
    const why = 'is a name for local use; the hub calls public names only.';
    for (const suffix of suffixes) mustFail(`https://a.${suffix}/`, `a.${suffix} ${why}`);
    mustFail('https://home.arpa/', `home.arpa ${why}`);
    for (const name of ['a.home', 'a.arpa', 'homearpa.com', 'a.xlan', 'lan.com', 'a-test.com']) {
      passes(`https://${name}/`);
    }
    passes('http://agents.lan:8080/', policy('agents.lan:8080'));
  });
});

describe('a port that is refused', () => {
  const why = (port: number): string =>
    `Port ${port} is not one that the hub calls; use 443, or a port above 1023.`;

  it('is below 1024 and not the web’s own', () => {
    for (const port of [80, 443, 1_024, 8_080, 65_535]) passes(`https://a.example.com:${port}/`);
    for (const port of [1, 22, 25, 79, 81, 442, 444, 1_023]) {
      mustFail(`https://a.example.com:${port}/`, why(port));
    }
  });

  it('speaks another protocol, unless the operator opened it', () => {
    for (const port of [3_306, 5_432, 6_379, 11_211, 27_017]) {
      mustFail(`https://a.example.com:${port}/`, why(port));
    }
    passes('https://a.example.com:6379/', policy('a.example.com:6379'));
    passes('https://a.example.com:22/', policy('a.example.com:22'));
  });
});

describe('plain http', () => {
  const why = (host: string): string =>
    `${host} must be reached by https; the hub does not call it by plain http.`;

  it('is spoken where the call permits it, or the operator opened the host and port', () => {
    mustFail('http://a.example.com/', why('a.example.com'));
    mustFail('http://a.example.com:8080/', why('a.example.com:8080'));
    passes('http://a.example.com/', policy('', true));
    passes('http://a.example.com:8080/', policy('a.example.com:8080'));
    mustFail('http://a.example.com:8081/', why('a.example.com:8081'), policy('a.example.com:8080'));
  });
});

describe('an address that is refused', () => {
  it('is not public, and is named by the kind alone', () => {
    const ending = '; the hub calls public addresses only.';
    const rows = [
      ['127.0.0.1', 'loopback'],
      ['10.0.0.1', 'private'],
      ['169.254.169.254', 'metadata'],
      ['[::1]', 'loopback'],
      ['[fd12::1]', 'unique-local'],
      ['[::ffff:7f00:1]', 'translated'],
    ] as const;
    for (const [host, kind] of rows) {
      const message = `${host} leads to an address that is not public (${kind})${ending}`;
      mustLead(`https://${host}/`, message);
    }
    assert.equal(
      addressMessage('a.example.com', undefined),
      `a.example.com leads to an address that is not public (unreadable)${ending}`,
    );
  });

  it('is called when the operator opened its port, and never where it hands out credentials', () => {
    const opened = policy('127.0.0.1:4030,[::1]:4030,169.254.169.254:80');
    const verdict = judgeTarget('http://[::1]:4030/', opened);
    assert.ok(verdict.ok && verdict.target.opened && verdict.target.host === '::1');
    passes('http://127.0.0.1:4030/', opened);
    for (const host of ['127.0.0.1:4031', '127.0.0.2:4030', '169.254.169.254']) {
      const verdict = judgeTarget(`http://${host}/`, opened);
      assert.ok(!verdict.ok && verdict.reason === 'refused-address', host);
    }
  });
});
