import assert from 'node:assert/strict';
import { matchesFormat } from './formats.ts';
import { translatePattern } from './pattern.ts';
import { RE2JS } from 're2js';
import type { FORMATS } from './schemaKeywords.ts';

type Format = (typeof FORMATS)[number];

describe('formats of a schema', () => {
  const cases: readonly (readonly [Format, string, boolean])[] = [
    ['date-time', '2016-12-31T24:59:60+01:00', false],
    ['date-time', '1985-04-12T23:20:50+01', false],
    ['date-time', '1985-04-12T00:59:59.999999999999999Z', true],
    ['duration', 'P1Y2D', false],
    ['duration', 'PT1H2S', false],
    ['uuid', 'urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380', false],
    ['uri', 'http://example.com:abc/path', false],
    ['uri', 'http://[::ffff:01.2.3.4]', false],
    ['uri-reference', '//a@b@example.com/', false],
    ['uri-reference', '1:b', false],
    ['hostname', 'example.', false],
    ['email', '"joe bloggs"@example.com', true],
    ['email', 'joe@[127.0.0.1]', true],
    ['uri-template', '{a.b}', true],
    ['uri-template', "a'b", true],
    ['date-time', '1998-12-31T23:59:60Z', true],
    ['date-time', '1998-12-31T22:59:60Z', false],
    ['date', '2023-02-29', false],
    ['duration', 'P1Y2M3DT4H5M6S', true],
    ['duration', 'P1W2D', false],
    ['uri', 'urn:isbn:0451450523', true],
    ['uri', 'http://a.b/%zz', false],
    ['email', 'a@b@c.example', false],
    ['email', '"a\\"b"@x.example', true],
    ['hostname', 'xn--X', false],
    ['hostname', 'xn--4gbwdl.xn--wgbh1c', true],
    ['ipv6', '::ffff:01.2.3.4', false],
    ['ipv6', '1::2::3', false],
    ['uuid', '2EB8AA08-AA98-11EA-B4AA-73B441D16380', true],
    ['relative-json-pointer', '01', false],
    ['json-pointer', '/a~2', false],
  ];
  for (const [format, text, holds] of cases) {
    it(`${holds ? 'takes' : 'refuses'} ${JSON.stringify(text)} as ${format}`, () => {
      assert.equal(matchesFormat(format, text), holds);
    });
  }

  it('judges hostile texts of 256 KB in time', () => {
    const long = 'a'.repeat(262_144);
    const texts = [
      long,
      `${'a.'.repeat(131_072)}!`,
      `http://${long}@${long}`,
      `{${long}`,
      '1'.repeat(262_144),
    ];
    const more = [
      `P${'1'.repeat(262_144)}`,
      `"${'\\"'.repeat(131_072)}`,
      '/~'.repeat(131_072),
      `${'::'.repeat(131_072)}`,
    ];
    const formats = [...new Set(cases.map(([format]) => format))];
    const startedAt = performance.now();
    for (const format of formats) {
      for (const text of [...texts, ...more]) matchesFormat(format, text);
    }
    assert.ok(performance.now() - startedAt < 5_000);
  });
});

describe('patterns of a schema', () => {
  const run = (source: string, text: string): boolean | string => {
    const translated = translatePattern(source);
    return translated.ok ? RE2JS.compile(translated.text).test(text) : translated.why;
  };
  const cases: readonly (readonly [string, string, boolean | RegExp])[] = [
    ['^\\S+$', 'a\u00a0b', false],
    ['^\\s*$', '\u3000', true],
    ['^[^\\s]+$', '\ufeff', false],
    ['^a.c$', 'a\rc', false],
    ['^a.c$', 'a\u2028c', false],
    ['^[[:alpha:]]$', 'a', /no regular expression/],
    ['^\\Qa.b\\E$', 'a.b', /no regular expression/],
    ['(?i)abc', 'ABC', /no regular expression/],
    ['^\\p{Letter}+$', '\u00e9', true],
    ['^\\p{Script=Greek}+$', '\u03a9', true],
    ['^(?<year>\\d{4})$', '2026', true],
    ['(?=a)b', 'b', /not linear/],
    ['(?<!a)b', 'b', /not linear/],
    ['(a)\\1', 'aa', /refers back/],
    ['(?<y>a)\\k<y>', 'aa', /refers back/],
  ];
  for (const [source, text, wanted] of cases) {
    it(`reads ${source} on ${JSON.stringify(text)}`, () => {
      const verdict = run(source, text);
      if (typeof wanted === 'boolean') assert.equal(verdict, wanted);
      else assert.match(String(verdict), wanted);
    });
  }

  it('means the same as the engine of ECMA-262 with the u flag', () => {
    const atoms = [
      ...[
        'a',
        'é',
        '😀',
        '.',
        '\\d',
        '\\D',
        '\\w',
        '\\W',
        '\\s',
        '\\S',
        '\\p{L}',
        '\\P{Lu}',
        '\\b',
        '\\B',
      ],
      ...[
        '[^]',
        '[]',
        '[a-c\\d]',
        '[^\\s\\w]',
        '[\\b\\-]',
        '\\u{1f600}',
        '\\ud83d\\ude00',
        '\\ud83d',
        '\\x41',
      ],
      ...['\\cJ', '\\0', '\\/', '\\.', '(?:a|b)', '^', '$', '[\\p{Script=Greek}_]', '-', ','],
    ];
    const counts = ['', '*', '+?', '?', '{2}', '{0,2}', '{1,}'];
    const texts = [
      ...[
        '',
        'a',
        'A',
        'é',
        '😀',
        '\ud83d',
        '\n',
        '\r',
        '\u2028',
        '\u0085',
        '\ufeff',
        '\u3000',
        ' a',
        'aa-',
        'Ω_',
      ],
      ...['1', '١', '\b', '\0', '/.', 'ccc', 'b\nb', 'a😀é', ',', '\u180e'],
    ];
    let [compared, seed] = [0, 7];
    const next = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (let turn = 0; turn < 1_500; turn += 1) {
      const parts = Array.from({ length: 1 + next(3) }, () => {
        const atom = atoms[next(atoms.length)] ?? '';
        const isAssertion = ['^', '$', '\\b', '\\B'].includes(atom);
        return atom + (isAssertion ? '' : (counts[next(counts.length)] ?? ''));
      });
      const source = parts.join(next(4) === 0 ? '|' : '');
      const native = new RegExp(source, 'u');
      const text = texts[next(texts.length)] ?? '';
      assert.equal(run(source, text), native.test(text), `${source} on ${JSON.stringify(text)}`);
      compared += 1;
    }
    assert.equal(compared, 1_500);
  });
});
