import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
import {
  dayOf,
  failurePauseMs,
  feedKindOf,
  feedPageUrl,
  NO_COUNTS,
  roomToday,
  type CrawlFeed,
  type FeedKind,
} from './crawlFeed.ts';
import { entryOf, type FeedFault, type FeedPage } from './feedEntry.ts';
import { readCrawlFeed } from './readCrawlFeed.ts';

const NOON = instant(Date.parse('2026-11-28T12:00:00Z'));
const HOUR = 3_600_000;
const URL_A = 'https://a.example/mcp';
const URL_B = 'https://b.example/x';
const read = (kind: FeedKind, body: unknown, cursor?: string): FeedPage | FeedFault =>
  readCrawlFeed(kind, typeof body === 'string' ? body : JSON.stringify(body), {
    url: 'https://feed.example/list?since=1',
    ...(cursor !== undefined && { cursor }),
  });

describe('the address of a feed', () => {
  it('says which protocol it speaks', () => {
    const kinds = [
      ['https://a.example/v0/servers', 'mcp-registry'],
      ['https://a.example/x/v0.1/servers/', 'mcp-registry'],
      ['https://a.example/v0/servers/1', 'list'],
      ['https://a.example/v1/servers', 'list'],
      ['https://a.example/discovery/resources', 'x402'],
      ['https://a.example/discovery/resources/?a=1', 'x402'],
      ['https://a.example/discovery/resources/1', 'list'],
      ['https://a.example/agents.ndjson', 'hub'],
      ['https://a.example/agents.ndjson.txt', 'list'],
      ['https://a.example/?x=/v0/servers', 'list'],
    ] as const;
    for (const [url, kind] of kinds) assert.equal(feedKindOf(url), kind, url);
  });

  it('asks for a page from the cursor on, of what changed since the last pass', () => {
    const since = { completeSince: NOON };
    const cases: readonly (readonly [Parameters<typeof feedPageUrl>[0], string])[] = [
      [{ kind: 'mcp-registry', url: 'https://a.example/v0/servers' }, '?limit=100&version=latest'],
      [
        { kind: 'mcp-registry', url: 'https://a.example/v0/servers', cursor: 'c/1', ...since },
        '?limit=100&version=latest&updated_since=2026-11-28T12%3A00%3A00.000Z&cursor=c%2F1',
      ],
      [{ kind: 'x402', url: 'https://a.example/v0/servers' }, '?limit=100&offset=0'],
      [
        { kind: 'x402', url: 'https://a.example/v0/servers', cursor: '200', ...since },
        '?limit=100&offset=200',
      ],
      [{ kind: 'list', url: 'https://a.example/v0/servers', cursor: 'c' }, ''],
      [{ kind: 'hub', url: 'https://a.example/v0/servers' }, ''],
    ];
    for (const [feed, query] of cases) {
      assert.equal(feedPageUrl(feed), `https://a.example/v0/servers${query}`);
    }
    const hub = { kind: 'hub', url: 'https://a.example/x', cursor: 'https://a.example/y' } as const;
    assert.equal(feedPageUrl(hub), 'https://a.example/y');
  });
});

describe('the cost of a feed', () => {
  const feed: CrawlFeed = {
    url: 'https://a.example/',
    kind: 'list',
    addedAt: NOON,
    pass: NO_COUNTS,
    nextPageAt: NOON,
    slotAt: NOON,
    day: dayOf(NOON),
    dayNames: 19_000,
    failures: 0,
    names: 0,
  };

  it('is twenty thousand new addresses a day in UTC', () => {
    const midnight = instant(NOON + 12 * HOUR);
    assert.equal(roomToday(feed, NOON), 1_000);
    assert.equal(roomToday(feed, instant(midnight - 1)), 1_000);
    assert.equal(roomToday(feed, midnight), 20_000);
  });

  it('pauses twice as long after each failure in a row, and at most a day', () => {
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6, 100].map((failures) => failurePauseMs(failures) / HOUR),
      [1, 2, 4, 8, 16, 24, 24],
    );
  });
});

describe('an address that a feed proposes', () => {
  it('is one of http or https that a crawler can call', () => {
    assert.deepEqual(entryOf(` ${URL_A} `, 'mcp', 'A'), [{ url: URL_A, kind: 'mcp', name: 'A' }]);
    assert.deepEqual(entryOf('HTTP://a.example', undefined, undefined), [
      { url: 'HTTP://a.example' },
    ]);
    const long = (length: number): string => `https://a.example/${'x'.repeat(length - 18)}`;
    assert.equal(entryOf(long(2_048), undefined, undefined).length, 1);
    const none = [
      ...['ftp://a.example/', 'a.example', '', 'https://', 'https://a.example/{tenant}'],
      ...['https://a.example/a b', 'https://[a', 'stdio:https://a.example', long(2_049), 7, null],
    ];
    for (const url of none) assert.deepEqual(entryOf(url, undefined, undefined), [], String(url));
  });
});

describe('a page of a feed', () => {
  it("has the remotes of an MCP registry's servers, and packages of those without one", () => {
    const body = {
      servers: [
        { server: { name: 'x.y/a', remotes: [{ url: URL_A }, { url: URL_B }] } },
        { name: 'x.y/b', remotes: [{ url: 'https://c.example/' }, 7] },
        { server: { name: 'x.y/c', packages: [{}] } },
        {
          server: {
            name: 'x.y/p',
            version: '1',
            packages: [{ registryType: 'npm', identifier: 'p' }],
          },
        },
        { server: { name: 'd', remotes: [{ url: URL_A }] }, _meta: { m: { status: 'deleted' } } },
        { server: { name: 'e', remotes: [{ url: URL_A }] }, _meta: { m: { status: 'active' } } },
        'text',
        { server: { remotes: Array.from({ length: 12 }, () => ({ url: URL_A })) } },
      ],
      metadata: { nextCursor: 'next' },
    };
    const page = read('mcp-registry', body) as FeedPage;
    assert.deepEqual(page.entries.slice(0, 4), [
      { url: URL_A, kind: 'mcp', name: 'x.y/a' },
      { url: URL_B, kind: 'mcp', name: 'x.y/a' },
      { url: 'https://c.example/', kind: 'mcp', name: 'x.y/b' },
      { url: URL_A, kind: 'mcp', name: 'e' },
    ]);
    assert.deepEqual([page.entries.length, page.skipped, page.next], [14, 3, 'next']);
    assert.deepEqual(
      page.packages?.map(({ name, identifier }) => [name, identifier]),
      [['x.y/p', 'p']],
    );
    assert.deepEqual(page.gone, ['x.y/a', 'x.y/b', 'x.y/c'], 'names of a registry alone');
    const older = read('mcp-registry', { servers: [{}], metadata: { next_cursor: 'old' } });
    const none = { packages: [], gone: [] };
    assert.deepEqual(older, { entries: [], skipped: 1, ...none, next: 'old' });
    const last = { entries: [], skipped: 0, ...none };
    assert.deepEqual(read('mcp-registry', { servers: [], metadata: { nextCursor: '' } }), last);
  });

  it('goes on at the offset of an x402 facilitator until the total', () => {
    const items = [
      { resource: URL_A, serviceName: 'A' },
      { resource: { url: URL_B }, type: 'mcp' },
      { resource: 'urn:x' },
      'text',
    ];
    const entries = [
      { url: URL_A, name: 'A' },
      { url: URL_B, kind: 'mcp' },
    ];
    const page = { entries, skipped: 2 };
    const total = (of: number) => ({ items, pagination: { total: of } });
    assert.deepEqual(read('x402', total(104), '100'), page);
    assert.deepEqual(read('x402', total(105), '100'), { ...page, next: '104' });
    assert.deepEqual(read('x402', total(5)), { ...page, next: '4' });
    assert.deepEqual(read('x402', { resources: items }), page);
    assert.deepEqual(read('x402', { items, pagination: { total: '900' } }), page);
    const empty = { items: [], pagination: { total: 9 } };
    assert.deepEqual(read('x402', empty), { entries: [], skipped: 0 });
  });

  it('ends with the cursor of another hub, for the next page or the next pass', () => {
    const lines = (...all: readonly unknown[]): string =>
      all.map((line) => JSON.stringify(line)).join('\n');
    const head = { line: 'hub' };
    const agent = (of: object): object => ({ line: 'agent', agent: of });
    const next = 'https://feed.example/list?since=2';
    const body = (end: object): string =>
      `${lines(
        head,
        agent({ endpoint: URL_A, kind: 'a2a', name: 'A' }),
        agent({ endpoint: URL_B, kind: 'grpc' }),
        agent({ endpoint: 'x' }),
        { line: 'agent' },
        { line: 'cursor', ...end },
      )}\n`;
    const page = { entries: [{ url: URL_A, kind: 'a2a', name: 'A' }, { url: URL_B }], skipped: 2 };
    assert.deepEqual(read('hub', body({})), page);
    assert.deepEqual(read('hub', body({ next })), { ...page, next });
    assert.deepEqual(read('hub', body({ next, complete: true })), { ...page, resume: next });
    for (const other of ['https://other.example/list', 'https://feed.example/other', 'x']) {
      assert.deepEqual(read('hub', body({ next: other })), {
        fault: 'Its cursor leads to another address.',
      });
    }
  });

  it('has five thousand entries at most', () => {
    const servers = (count: number) => ({
      servers: Array.from({ length: count }, () => ({ remotes: [{ url: URL_A }] })),
    });
    const full = read('mcp-registry', servers(5_000)) as FeedPage;
    assert.deepEqual([full.entries.length, full.skipped], [5_000, 0]);
    const over = read('mcp-registry', servers(5_003)) as FeedPage;
    assert.deepEqual([over.entries.length, over.skipped], [5_000, 3]);
  });

  it('is rejected with the reason why it cannot be read', () => {
    const registry = 'It is not the JSON of an MCP registry, which has `servers`.';
    const x402 = 'It is not the JSON of an x402 discovery list, which has `items`.';
    const hub = 'It is not the feed of a hub: a line `hub` first and a line `cursor` last.';
    const loop = 'It gave the cursor of the page that was asked for, so it has no end.';
    const one = { remotes: [{ url: URL_A }] };
    const cases: readonly (readonly [FeedKind, unknown, string, cursor?: string])[] = [
      ['mcp-registry', '{', registry],
      ['mcp-registry', { servers: {} }, registry],
      ['x402', '[]', x402],
      ['x402', { items: 7 }, x402],
      ['hub', '', hub],
      ['hub', '{"line":"hub"}', hub],
      ['hub', '{"line":"agent"}\n{"line":"cursor"}', hub],
      ['mcp-registry', { servers: [one], metadata: { nextCursor: 'c' } }, loop, 'c'],
      [
        'mcp-registry',
        { servers: [one], metadata: { nextCursor: 'c'.repeat(1_025) } },
        'Its cursor has more than 1024 characters.',
      ],
      [
        'mcp-registry',
        { servers: [], metadata: { nextCursor: 'c' } },
        'It gave a page without entries and another cursor, so it may have no end.',
      ],
    ];
    for (const [kind, body, fault, cursor] of cases) {
      assert.deepEqual(read(kind, body, cursor), { fault });
    }
    const longest = { servers: [one], metadata: { nextCursor: 'c'.repeat(1_024) } };
    assert.ok('entries' in read('mcp-registry', longest, 'c'));
  });
});
