import assert from 'node:assert/strict';
import {
  allowing,
  closeSites,
  notFound,
  sendJson,
  startSite,
} from '../../clients/examples/agents/site.ts';
import type { Serve } from '../../clients/examples/agents/site.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { at, mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

type Json = Record<string, unknown>;

/**
 * Everything at once: NUL, halves of characters, overrides, tags, what breaks queries and pages.
 */
const NASTY = `\u0000\u001b[31m\ud800x\udc00\u202etxt\u2066\u{e0041}\ufeff';DROP TABLE listings;--<script>\${1}`;
const LONG = `${NASTY}${'ä🙂\u0301'.repeat(2_000)}`;
const NAMES = [NASTY, LONG, '__proto__', 'constructor', '../../etc/passwd', '"', '%00', 'a\tb\nc'];

const schemaOf = (name: string): string =>
  `{"type":"object","properties":{"__proto__":{"description":${JSON.stringify(name)}},` +
  `${JSON.stringify(name)}:{"type":${JSON.stringify(name)},"description":7}},"required":[7,null]}`;

/** The text is made by hand: JSON.stringify would set the prototype in place of a key. */
function toolsText(): string {
  const tools = NAMES.map(
    (name) =>
      `{"name":${JSON.stringify(name)},"description":${JSON.stringify(LONG)},` +
      `"title":7,"__proto__":{"x":1},"inputSchema":${schemaOf(name)}}`,
  );
  return `{"tools":[${tools.join(',')},null,[],{"name":{}}],"nextCursor":${JSON.stringify(NASTY)}}`;
}

const CARD: Json = {
  name: LONG,
  description: LONG,
  version: NASTY,
  url: '/a2a',
  protocolVersion: NASTY,
  provider: { organization: LONG, url: NASTY },
  documentationUrl: `javascript:${NASTY}`,
  capabilities: NASTY,
  securitySchemes: { [NASTY]: { type: LONG } },
  skills: NAMES.map((id) => ({ id, name: id, description: LONG, tags: [LONG, 7, NASTY] })),
};

const serve: Serve = ({ path, method, body }, response) => {
  if (path === '/.well-known/agent-card.json') {
    return sendJson(response, 200, CARD, { etag: '"\u00ff"' });
  }
  if (method !== 'POST') return notFound(response);
  const { id, method: asked } = JSON.parse(body) as { id?: unknown; method: string };
  const reply = (result: string): void => {
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'a b' });
    response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
  };
  if (asked === 'initialize') {
    const info = { name: LONG, version: NASTY, websiteUrl: `javascript:${NASTY}` };
    const opening = { protocolVersion: '2025-06-18', serverInfo: info, instructions: LONG };
    return reply(JSON.stringify({ ...opening, capabilities: null }));
  }
  if (asked === 'tools/list') return reply(toolsText());
  const error = { code: 'x', message: LONG, data: { [NASTY]: NASTY } };
  sendJson(response, 500, { jsonrpc: '2.0', id, error });
};

describe('a hostile origin', function hostile() {
  this.timeout(60_000);
  let world: Fixture | undefined;
  afterEach(async () => {
    await world?.close();
    await closeSites();
  });

  for (const [title, database] of [
    ['SQLite', async () => undefined],
    ['PostgreSQL', async () => (await sharedPostgres()).freshDatabase()],
  ] as const) {
    it(`is stored safely and served as data within the contract (${title})`, async () => {
      const site = await startSite(serve);
      const databaseUrl = await database();
      world = await openFixture({
        env: allowing(site),
        ...(databaseUrl !== undefined && { databaseUrl }),
      });
      mustOk(await world.anyone.post('/api/v1/agents', { url: site.url }), 202);
      mustOk(await world.anyone.post('/api/v1/mcp-servers', { url: `${site.url}/mcp` }), 202);
      for (let look = 0; look < 2; look += 1) {
        world.hub.clock.advance(86_400);
        await world.hub.runJob('crawl');
      }
      const list = mustOk(await world.anyone.get('/api/v1/agents?includeUnavailable=true'));
      const kinds = (list['agents'] as Json[]).map(({ kind }) => kind).sort();
      assert.deepEqual(kinds, ['a2a', 'mcp'], JSON.stringify(list).slice(0, 500));
      for (const agent of list['agents'] as Json[]) {
        const full = mustOk(await world.anyone.get(`/api/v1/agents/${String(agent['id'])}`));
        assert.doesNotMatch(String(full['name']), /[\u0000-\u001f\u202e\u2066\ufeff]/);
        const skills = full['skills'] as Json[];
        assert.ok(
          skills.length >= 6,
          `${String(full['kind'])} has ${skills.length}: ${full['availabilityNote']}`,
        );
        assert.equal(at(full, 'documentationUrl'), undefined);
      }
      const url = encodeURIComponent(`${site.url}/mcp`);
      mustOk(await world.anyone.get(`/api/v1/verify?url=${url}&fresh=1`));
      mustOk(await world.anyone.get(`/api/v1/hosts/${site.pair}`));
    });
  }
});
