import assert from 'node:assert/strict';
import { probedListing } from '../../db/registry/fixture.ts';
import { measuredKey, serverJson, serverName } from './serverJson.ts';

const FORM = /^[a-zA-Z0-9][a-zA-Z0-9.-]*[a-zA-Z0-9]\/[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$/;

describe('the server.json of a listing', () => {
  it('names a server by its reversed host and its path', () => {
    assert.equal(serverName('https://mcp.agent.example/mcp'), 'example.agent.mcp/mcp');
    assert.equal(serverName('https://agent.example/a/b-2'), 'example.agent/a.b-2');
  });

  it('gives different endpoints of one host different names', () => {
    const endpoints = [
      'https://agent.example/',
      'https://agent.example/mcp',
      'https://agent.example/mcp/',
      'https://agent.example/mcp?tenant=1',
      'https://agent.example:8443/mcp',
      'http://agent.example/mcp',
      'https://agent.example/mcp.v1',
      'https://agent.example/mcp/v1',
      'https://agent.example/mcp_v1',
      'https://agent.example/a',
      'https://agent.example/%E4%BD%A0',
      `https://agent.example/${'long/'.repeat(60)}`,
    ];
    const names = endpoints.map(serverName);
    assert.equal(new Set(names).size, endpoints.length);
    for (const name of names) assert.match(name ?? '', FORM);
  });

  it('does not let a path produce the hashed name of another port', () => {
    const other = serverName('https://agent.example:8443/mcp')?.split('/')[1] ?? '';
    assert.notEqual(serverName(`https://agent.example/${other}`), `example.agent/${other}`);
  });

  it('names addresses without a domain, and no host that is too long', () => {
    assert.match(
      serverName('https://127.0.0.1:4443/mcp') ?? '',
      /^127\.0\.0\.1\/mcp_[0-9a-f]{10}$/,
    );
    assert.match(serverName('https://[2001:db8::1]/mcp') ?? '', FORM);
    assert.equal(serverName(`https://${'a.'.repeat(100)}example/mcp`), undefined);
  });

  it('replaces ranges and missing versions, which the registry API does not allow', () => {
    const versionOf = (version?: string): string | undefined =>
      serverJson(probedListing(version === undefined ? {} : { version }))?.version;
    assert.equal(versionOf('1.2.3+build.5'), '1.2.3+build.5');
    for (const range of ['^1.2.3', '>=1.0', '1.x', '1.*', '1 - 2', '1||2', 'latest', undefined]) {
      assert.equal(versionOf(range), '0.0.0', `${range}`);
    }
  });

  it('cuts claimed texts to the lengths of the schema and keeps the address exactly', () => {
    const listing = probedListing({
      name: 'N'.repeat(300),
      description: `${'d'.repeat(300)}`,
      documentationUrl: 'javascript:alert(1)',
    });
    const made = JSON.parse(serverJson(listing)?.text ?? '') as Record<string, unknown>;
    assert.equal(String(made['title']).length, 100);
    assert.equal(String(made['description']).length, 100);
    assert.equal(made['websiteUrl'], undefined);
    assert.deepEqual(made['remotes'], [{ type: 'streamable-http', url: listing.endpoint }]);
  });

  it('names the member of the hub by its own host', () => {
    assert.equal(measuredKey('https://hub.example.org'), 'org.example.hub/measured');
    assert.equal(measuredKey('http://127.0.0.1:4020'), 'local.hub/measured');
    assert.equal(measuredKey('http://localhost:4020'), 'local.hub/measured');
  });

  it('is written whole', () => {
    const listing = probedListing({
      endpoint: 'https://mcp.agent.example/sse',
      host: 'mcp.agent.example',
      transport: 'sse',
      name: 'News',
      version: '1.2.3',
      documentationUrl: 'https://agent.example/docs',
    });
    const made = serverJson(listing);
    assert.deepEqual(JSON.parse(made?.text ?? ''), {
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'example.agent.mcp/sse',
      description: 'MCP server at mcp.agent.example',
      title: 'News',
      version: '1.2.3',
      websiteUrl: 'https://agent.example/docs',
      remotes: [{ type: 'sse', url: 'https://mcp.agent.example/sse' }],
    });
    assert.deepEqual([made?.name, made?.version], ['example.agent.mcp/sse', '1.2.3']);
    assert.equal(
      serverJson({ ...listing, endpoint: `https://${'a.'.repeat(80)}example/` }),
      undefined,
    );
  });

  it('names an address that its path alone does not state by a hash', () => {
    const cases = [
      ['https://a.example/', /^example\.a\/mcp_[0-9a-f]{10}$/],
      ['https://a.example/x', /^example\.a\/x_[0-9a-f]{10}$/],
      ['https://a.example/-a-/b', /^example\.a\/a-b_[0-9a-f]{10}$/],
      ['https://a.example/ab/', /^example\.a\/ab_[0-9a-f]{10}$/],
      ['https://a.example/mcp?a=1', /^example\.a\/mcp_[0-9a-f]{10}$/],
      ['http://a.example/mcp', /^example\.a\/mcp_[0-9a-f]{10}$/],
      [`https://a.example/${'x'.repeat(41)}`, /^example\.a\/x{40}_[0-9a-f]{10}$/],
      [`https://a.example/${'x'.repeat(40)}`, /^example\.a\/x{40}$/],
      ['https://a.example./mcp', /^example\.a\/mcp$/],
      ['https://[2001:db8::1]/mcp', /^ip62001-db8--10\/mcp$/],
    ] as const;
    for (const [endpoint, name] of cases) assert.match(serverName(endpoint) ?? '', name, endpoint);
    const host = `${'a.'.repeat(66)}example`;
    assert.equal(serverName(`https://a${host}/mcp`)?.length, 140 + '/mcp'.length);
    assert.equal(serverName(`https://ab${host}/mcp`), undefined);
  });
});
