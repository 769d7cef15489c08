import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startMcpSdk1 } from '../../clients/examples/agents/mcpSdk1.ts';
import { allowing, closeSites, type Site } from '../../clients/examples/agents/site.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { fill, listing } from './_index.ts';

/**
 * The hub as the registry of an editor, by the rules of VS Code: a base address is configured, the
 * editor adds `v0.1/servers`, and in its registry-only mode a remote server starts only when its
 * address equals a remote of the registry's record, letter for letter.
 */
interface Server {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly remotes?: readonly { readonly type: string; readonly url: string }[];
}
interface Page {
  readonly servers: readonly { readonly server: Server }[];
  readonly metadata: { readonly count: number; readonly nextCursor?: string | null };
}

class Editor {
  readonly #base: string;
  constructor(base: string) {
    this.#base = base.replace(/\/$/, '');
  }

  async page(query: Readonly<Record<string, string>>): Promise<Page> {
    const words = new URLSearchParams(query);
    const answer = await fetch(`${this.#base}/v0.1/servers?${words}`, {
      headers: { accept: '*/*', origin: 'vscode-file://vscode-app' },
    });
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    return (await answer.json()) as Page;
  }

  async gallery(limit: string): Promise<readonly Server[]> {
    const found: Server[] = [];
    for (let cursor = ''; ;) {
      const { servers, metadata } = await this.page({
        limit,
        version: 'latest',
        ...(cursor !== '' && { cursor }),
      });
      found.push(...servers.map(({ server }) => server));
      cursor = metadata.nextCursor ?? '';
      if (cursor === '') return found;
    }
  }

  async named(name: string): Promise<Server | undefined> {
    const path = `v0.1/servers/${encodeURIComponent(name)}/versions/latest`;
    const answer = await fetch(`${this.#base}/${path}`);
    if (answer.status === 404) return undefined;
    assert.equal(answer.status, 200);
    return ((await answer.json()) as { readonly server: Server }).server;
  }

  async mayStart(name: string, url: string): Promise<boolean> {
    const { remotes = [] } = (await this.named(name)) ?? {};
    return remotes.some((remote) => remote.url === url);
  }
}

describe('an editor whose registry is the hub', () => {
  let world: Fixture;
  let site: Site;
  let editor: Editor;
  before(async () => {
    site = await startMcpSdk1();
    world = await openFixture({ env: allowing(site) });
    mustOk(await world.anyone.post('/api/v1/mcp-servers', { url: `${site.url}/mcp` }), 202);
    await world.hub.runJob('crawl');
    await fill(world, [
      listing('port.example', { endpoint: 'https://port.example:8443/mcp' }),
      listing('query.example', { endpoint: 'https://query.example/mcp?tenant=a%2Fb' }),
      listing('gone.example', { availability: 'unreachable' }),
    ]);
    editor = new Editor(`${world.hub.url}/`);
  });
  after(async () => {
    await world.close();
    await closeSites();
  });

  it('shows every server once, with what an editor needs to start it', async () => {
    const servers = await editor.gallery('50');
    assert.equal(servers.length, 3);
    for (const { name, version, description, remotes } of servers) {
      assert.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
      assert.ok(version.length > 0 && description.length > 0 && description.length <= 100);
      assert.equal(remotes?.length, 1);
    }
  });

  it('gives the same servers to an editor that reads one at a time', async () => {
    assert.deepEqual(await editor.gallery('1'), await editor.gallery('50'));
  });

  it('finds each server by its name, with the record of the list', async () => {
    for (const server of await editor.gallery('50')) {
      assert.deepEqual(await editor.named(server.name), server);
    }
  });

  it('names the address that was probed, so a server starts at exactly that one', async () => {
    const servers = await editor.gallery('50');
    const addresses = servers.flatMap(({ remotes = [] }) => remotes.map(({ url }) => url)).sort();
    const probed = `${site.url}/mcp`;
    assert.deepEqual(addresses, [
      probed,
      'https://port.example:8443/mcp',
      'https://query.example/mcp?tenant=a%2Fb',
    ]);
    const name = servers.find(({ remotes }) => remotes?.[0]?.url === probed)?.name ?? '';
    assert.equal(await editor.mayStart(name, probed), true);
    for (const other of [`${probed}/`, probed.toUpperCase(), `${site.url}/`, `${probed}?a=1`]) {
      assert.equal(await editor.mayStart(name, other), false, other);
    }
  });

  it('leads an ordinary MCP client to the server', async () => {
    const servers = await editor.gallery('50');
    const remote = servers
      .flatMap(({ remotes = [] }) => remotes)
      .find(({ url }) => url.startsWith(site.url));
    assert.equal(remote?.type, 'streamable-http');
    const client = new Client({ name: 'editor', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(remote.url)));
    assert.ok((await client.listTools()).tools.length > 0);
    await client.close();
  });

  it('starts no server that the registry does not have, or that does not answer', async () => {
    assert.equal(
      await editor.mayStart('example.unknown/mcp', 'https://unknown.example/mcp'),
      false,
    );
    assert.equal(await editor.mayStart('example.gone/mcp', 'https://gone.example/mcp'), false);
  });
});
