import assert from 'node:assert/strict';
import { serversNamedIn } from './readServerCard.ts';

const AT = 'https://a.example/.well-known/mcp/server-card.json';
const named = (body: unknown): readonly string[] => serversNamedIn(body, JSON.stringify(body), AT);

describe('servers that a document names', () => {
  it('are the remotes of a card in the form of server.json, at its own origin alone', () => {
    const remotes = [
      { type: 'streamable-http', url: 'https://a.example/deep/path' },
      { type: 'sse', url: '/deep/sse' },
      { type: 'streamable-http', url: 'https://b.example/mcp' },
      { type: 'streamable-http', url: 7 },
    ];
    assert.deepEqual(named({ name: 'x', remotes }), [
      'https://a.example/deep/path',
      'https://a.example/deep/sse',
    ]);
  });

  it('are the transport of a card with serverInfo', () => {
    const transport = { type: 'streamable-http', endpoint: '/deep/path' };
    assert.deepEqual(named({ serverInfo: { name: 'x' }, transport }), [
      'https://a.example/deep/path',
    ]);
    assert.deepEqual(named({ transport }), [], 'it is no card of a server');
  });

  it('are the entries of an AI Catalog that are servers', () => {
    const entries = [
      { mediaType: 'application/mcp-server-card+json', url: 'https://a.example/cards/one.json' },
      { mediaType: 'application/a2a-agent-card+json', url: 'https://a.example/cards/two.json' },
    ];
    assert.deepEqual(named({ entries }), ['https://a.example/cards/one.json']);
  });

  it('are none in anything else, and ten at most', () => {
    assert.deepEqual([named([]), named('x'), named({ url: 'https://a.example/x' })], [[], [], []]);
    const remotes = Array.from({ length: 40 }, (_, nth) => ({ url: `/s${nth}` }));
    assert.equal(named({ remotes }).length, 10);
  });
});
