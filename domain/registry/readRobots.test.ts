import assert from 'node:assert/strict';
import { readRobots, robotsOfStatus } from './readRobots.ts';

const rules = (text: string) => readRobots(text, 'HubBot');
const group = (...lines: readonly string[]) => rules(['User-agent: *', ...lines].join('\n'));

describe('robots.txt by its status', () => {
  it('forbids nothing where it is absent, and everything where it cannot be read', () => {
    for (const status of [400, 404, 410, 499]) {
      const robots = robotsOfStatus(status);
      assert.deepEqual([robots.rule, robots.mayFetch('/')], ['absent', true], String(status));
    }
    for (const status of [undefined, 399, 429, 500, 503]) {
      const robots = robotsOfStatus(status);
      assert.deepEqual([robots.rule, robots.mayFetch('/')], ['unreadable', false], String(status));
    }
  });
});

describe('the group of a crawler', () => {
  const may = (text: string): boolean => rules(text).mayFetch('/x');

  it('is that of its name, in any case and version, else that of all', () => {
    assert.equal(may('User-agent: *\nDisallow: /\nUser-agent: hubbot\nAllow: /'), true);
    assert.equal(may('User-agent: HUBBOT/1.0 (x)\nDisallow: /'), false);
    assert.equal(may('User-agent: other\nDisallow: /'), true);
    assert.equal(may('User-agent: *\nDisallow: /'), false);
    assert.equal(may('Disallow: /'), true);
    assert.equal(may(''), true);
  });

  it('counts together where it stands twice', () => {
    const twice = rules('User-agent: hubbot\nDisallow: /a\nUser-agent: hubbot\nDisallow: /b');
    assert.deepEqual(['/a', '/b', '/c'].map(twice.mayFetch), [false, false, true]);
  });

  it('has several names until its first rule, whatever stands between', () => {
    assert.equal(may('User-agent: a\nCrawl-delay: 1\nUser-agent: hubbot\nDisallow: /'), false);
    assert.equal(may('User-agent: hubbot\nUser-agent: b\nDisallow: /'), false);
    assert.equal(may('User-agent: hubbot\nSitemap: /x\nUser-agent: b\nDisallow: /'), false);
    assert.equal(may('User-agent: hubbot\nAllow: /a\nUser-agent: b\nDisallow: /'), true);
    assert.equal(may('User-agent: hubbot\nDisallow:\nUser-agent: b\nDisallow: /'), true);
  });

  it('is read without comments, in lines of every system', () => {
    assert.equal(may('\ufeffUser-agent: hubbot # me\r\nDISALLOW : /x # no\r\n'), false);
    assert.equal(may('user-agent: hubbot\rdisallow: /x'), false);
    assert.equal(may('# User-agent: hubbot\nUser-agent: *\nno colon\nDisallow: /x'), false);
  });

  it('ends with the characters and lines that are read', () => {
    const long = `User-agent: *\n${'#'.repeat(512_000)}\nDisallow: /`;
    assert.equal(may(long), true);
    assert.equal(may(`User-agent: *\n${'\n'.repeat(20_000)}Disallow: /`), true);
    assert.equal(may(`User-agent: *\n${'\n'.repeat(19_000)}Disallow: /`), false);
  });

  it('may ask for a pause, in whole seconds of at most a day', () => {
    const cases = [
      ['1', 1],
      ['1.2', 2],
      ['86400', 86_400],
      ['999999999', 86_400],
      ['9999999999', undefined],
      ['-1', undefined],
      ['soon', undefined],
    ] as const;
    for (const [given, seconds] of cases) {
      assert.equal(group(`Crawl-delay: ${given}`).crawlDelaySeconds, seconds, given);
    }
    assert.equal('crawlDelaySeconds' in group('Disallow: /x'), false);
  });

  it('is summed up in one word', () => {
    const cases = [
      [group(), 'allowed'],
      [group('Allow: /a'), 'allowed'],
      [group('Disallow:'), 'allowed'],
      [group('Disallow: /a'), 'partly'],
      [group('Disallow: /', 'Allow: /a'), 'partly'],
      [group('Disallow: /'), 'forbidden'],
    ] as const;
    for (const [{ rule }, wanted] of cases) assert.equal(rule, wanted);
  });
});

describe('the path of a rule', () => {
  const forbids = (rule: string, path: string): boolean =>
    !group(`Disallow: ${rule}`).mayFetch(path);

  it('matches from the start, with * for anything and $ for the end', () => {
    const cases = [
      ['/a', '/ab', '/b'],
      ['/a/', '/a/b', '/a'],
      ['/*.json', '/x/y.jsonp', '/x/y.xml'],
      ['/*.json$', '/x.json', '/x.json?a'],
      ['/a$', '/a', '/ab'],
      ['/a*b*c', '/a1b2c3', '/a1c2b'],
      ['/a*', '/a', '/'],
      ['*x', '/ax', '/a'],
      ['/a*a$', '/aa', '/a'],
      ['/a*bc$', '/abcbc', '/abcb'],
      ['/$', '/', '/a'],
    ] as const;
    for (const [rule, match, other] of cases) {
      assert.deepEqual([forbids(rule, match), forbids(rule, other)], [true, false], rule);
    }
  });

  it('compares octets, but for unreserved characters', () => {
    const same = [
      ['/%61', '/a'],
      ['/a', '/%61'],
      ['/%7Ex', '/~x'],
      ['/é', '/%C3%A9'],
      ['/%c3%a9', '/é'],
      ['/a%2fb', '/a%2Fb'],
      ['/?a=%3A', '/?a=:'],
      ['/?a=%2F%3F%40', '/?a=/?@'],
      ['/a%24', '/a$b'],
      ['/a%2A', '/a*'],
      ['/a b', '/a%20b'],
    ] as const;
    for (const [rule, path] of same) assert.equal(forbids(rule, path), true, rule);
    const different = [
      ['/a%2Fb', '/a/b'],
      ['/%3A', '/:'],
      ['/%40', '/@'],
      ['/a%3Fb', '/a?b'],
      ['/A', '/a'],
    ] as const;
    for (const [rule, path] of different) assert.equal(forbids(rule, path), false, rule);
  });

  it('wins by its length, and allows at the same length', () => {
    const robots = group(
      'Disallow: /a',
      'Allow: /a/b',
      'Disallow: /a/b/c',
      'Allow: /d',
      'Disallow: /d',
    );
    assert.deepEqual(['/a', '/a/b', '/a/b/c', '/d', '/e'].map(robots.mayFetch), [
      false,
      true,
      false,
      true,
      true,
    ]);
    assert.equal(group('Allow: /x', 'Disallow: /x$').mayFetch('/x'), false);
    assert.equal(group('Disallow: /d', 'Allow: /d').mayFetch('/d'), true);
  });
});
