import assert from 'node:assert/strict';
import type { FeedFault, FeedPage } from './feedEntry.ts';
import { readAddressList } from './readAddressList.ts';

const URL_A = 'https://a.example/mcp';
const URL_B = 'https://b.example/x';

describe('a feed that is one list', () => {
  const list = (body: unknown): FeedPage | FeedFault =>
    readAddressList(typeof body === 'string' ? body : JSON.stringify(body));

  it('is JSON, a sitemap or one address a line, as its first letters say', () => {
    const both = { entries: [{ url: URL_A }, { url: URL_B }], skipped: 1 };
    for (const body of [
      [URL_A, URL_B, 7],
      { entries: [URL_A, { url: URL_B }, {}] },
      { agents: [{ cardUrl: URL_A }, { agentCardUrl: URL_B }, ''] },
      { cards: [URL_A, URL_B, 'ftp://x'] },
      { urls: [URL_A, URL_B, null] },
      `\ufeff ["${URL_A}","${URL_B}",7]`,
      `${URL_A}\r\n# a comment\n\n  ${URL_B}\nnone`,
      `<urlset><loc>${URL_A}</loc>\n<loc> ${URL_B} </loc><loc>x</loc></urlset>`,
      `<?xml version="1.0"?><urlset xmlns="x"><loc>${URL_A}</loc><loc>${URL_B}</loc><loc>/</loc>`,
    ]) {
      assert.deepEqual(list(body), both, JSON.stringify(body));
    }
    assert.deepEqual(list('<urlset><loc>https://a.example/?a=1&amp;b=2</loc></urlset>'), {
      entries: [{ url: 'https://a.example/?a=1&b=2' }],
      skipped: 0,
    });
    assert.deepEqual(list(''), { entries: [], skipped: 0 });
  });

  it('names agents by their origin, and servers by their cards', () => {
    const origin = 'https://a.example/';
    const interfaces = [{ url: URL_A }];
    const cases: readonly (readonly [item: object, entry: object | undefined])[] = [
      [
        { mediaType: 'application/a2a+json', url: URL_A },
        { url: URL_A, kind: 'a2a' },
      ],
      [
        { type: 'application/mcp-server+json', url: URL_A, displayName: 'A' },
        { url: URL_A, name: 'A' },
      ],
      [{ type: 'application/ai-catalog+json', url: URL_A }, undefined],
      [
        { type: 'a2a', data: { url: URL_A }, name: 'A' },
        { url: origin, kind: 'a2a', name: 'A' },
      ],
      [
        { type: 'a2a', data: { supportedInterfaces: interfaces } },
        { url: origin, kind: 'a2a' },
      ],
      [{ type: 'a2a', data: { url: 'x' } }, undefined],
      [
        { type: 'mcp', data: { remotes: interfaces } },
        { url: URL_A, kind: 'mcp' },
      ],
      [{ data: { remotes: ['x', { url: URL_B }], url: URL_A } }, { url: URL_B }],
      [{ remotes: [{ url: URL_A }] }, { url: URL_A }],
      [{ type: 'mcp', url: 'x' }, undefined],
      [{ type: 7, url: URL_A }, { url: URL_A }],
    ];
    for (const [item, entry] of cases) {
      const entries = entry === undefined ? [] : [entry];
      const page = { entries, skipped: entry === undefined ? 1 : 0 };
      assert.deepEqual(list([item]), page, JSON.stringify(item));
    }
  });

  it('is rejected with the reason why it is none', () => {
    const cases = [
      ['{"a"', 'It begins like JSON and is not JSON.'],
      [{ a: 1 }, 'It is JSON without `entries`, `agents`, `cards` or `urls`.'],
      [
        '<sitemapindex ><loc>https://a.example/1.xml</loc>',
        'It is an index of sitemaps; add each sitemap as a feed of its own.',
      ],
      ['<html>', 'It is HTML or XML, and no sitemap.'],
      ['no address', 'It is text without an address.'],
    ] as const;
    for (const [body, fault] of cases) assert.deepEqual(list(body), { fault });
  });
});
