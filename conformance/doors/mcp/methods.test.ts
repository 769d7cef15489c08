import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { base58 } from '@scure/base';
import { mcpExtended, mcpTools } from '../../../generated/doors.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { mustOk } from '../../harness/must.ts';
import {
  mustFault,
  mustResult,
  request,
  send,
  toolCall,
  type Json,
  type RpcAnswer,
} from './_door.ts';

/** The methods that run no operation, for clients with a handshake and for clients without. */
const REPORTED = '2025-06-18';
const STATELESS = '2026-07-28';
const VERSION = 'io.modelcontextprotocol/protocolVersion';
/** Characters of the whole list; what a host reads of it at the start of every talk. */
const TOOLS_BYTES_MAX = 164_000;
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

describe('the methods of the MCP door', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const result = (answer: RpcAnswer): Json => {
    assert.equal(answer.status, 200, answer.text);
    return answer.last['result'] as Json;
  };

  it('initialize reports 2025-06-18 whatever was asked for', async () => {
    for (const protocolVersion of [REPORTED, '2024-11-05', '2025-11-25', STATELESS, 'junk']) {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 't', version: '1' } };
      const answered = result(await send(world, request(1, 'initialize', params)));
      assert.equal(answered['protocolVersion'], REPORTED);
      assert.deepEqual(answered['capabilities'], { tools: {} });
      const { name, version } = answered['serverInfo'] as Json;
      assert.deepEqual([name, version], ['agent-exchange-hub', '0.1.0']);
    }
  });

  it('initialize without a version is refused', async () => {
    for (const params of [{}, { protocolVersion: 1 }]) {
      mustFault(await send(world, request(1, 'initialize', params)), 200, -32_602, 1);
    }
  });

  it('the instructions teach a signature in about ten lines', async () => {
    const params = { protocolVersion: REPORTED };
    const answered = result(await send(world, request(1, 'initialize', params)));
    const text = String(answered['instructions']);
    assert.ok(text.split('\n').length <= 12);
    const words = ['RFC 9421', 'ed25519', 'keyid', 'Content-Digest', 'created=', 'nonce='];
    const { host } = new URL(world.hub.url);
    for (const word of [...words, 'Signature-Input', '"@path": /mcp', host]) {
      assert.ok(text.includes(word), word);
    }
  });

  it('the instructions, followed to the letter, make an account', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const keyid = base58.encode(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32));
    const body = JSON.stringify(toolCall(1, 'wallet-me', {}));
    const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
    const created = Math.floor(world.hub.clock.now() / 1000);
    const covered = '("@method" "@authority" "@path" "content-digest")';
    const params = `${covered};created=${created};keyid="${keyid}";alg="ed25519";nonce="${randomBytes(16).toString('hex')}"`;
    const lines = [
      '"@method": POST',
      `"@authority": ${new URL(world.hub.url).host}`,
      '"@path": /mcp',
      `"content-digest": ${digest}`,
      `"@signature-params": ${params}`,
    ];
    const signature = sign(null, Buffer.from(lines.join('\n')), privateKey).toString('base64');
    const answer = await send(world, body, {
      headers: {
        'content-digest': digest,
        'signature-input': `sig1=${params}`,
        signature: `sig1=:${signature}:`,
      },
    });
    const { structuredContent } = result(answer) as { readonly structuredContent: Json };
    assert.equal(structuredContent['owner'], `key:${keyid}`);
  });

  it('tools/list gives the 98 tools of the interface in one page of at most 164 kB', async () => {
    const answer = await send(world, request(1, 'tools/list'));
    const page = result(answer);
    assert.equal(page['nextCursor'], undefined);
    const names = (page['tools'] as readonly Json[]).map((tool) => String(tool['name']));
    assert.equal(new Set(names).size, 98);
    assert.equal(names.length, 98);
    assert.deepEqual(
      names,
      Object.keys(mcpTools).filter((name) => !mcpExtended.includes(name)),
    );
    const bytes = Buffer.byteLength(answer.text);
    assert.ok(bytes <= TOOLS_BYTES_MAX, String(bytes));
  });

  describe('an address with toolsets', () => {
    const namesAt = async (path: string): Promise<readonly string[]> => {
      const page = result(await send(world, request(1, 'tools/list'), { path }));
      return (page['tools'] as readonly Json[]).map(({ name }) => String(name));
    };
    const inAreas = (...areas: readonly string[]): readonly string[] =>
      Object.entries(mcpTools).flatMap(([name, id]) =>
        areas.includes(id.slice(0, id.indexOf('.'))) ? [name] : [],
      );

    it('lists the tools of those areas, in the order of the contract', async () => {
      const both = await namesAt('/mcp?toolsets=work,wallet');
      assert.deepEqual(both, inAreas('tasks', 'wallet'));
      assert.deepEqual(await namesAt('/mcp?toolsets=wallet%2Ctasks'), both);
      assert.deepEqual(await namesAt('/mcp?toolsets=time'), inAreas('time'));
      assert.equal((await namesAt('/mcp?')).length, 98);
    });

    it('lists the schemas of results too, which the whole list leaves out', async () => {
      const toolsAt = async (path: string): Promise<readonly Json[]> =>
        result(await send(world, request(1, 'tools/list'), { path }))['tools'] as readonly Json[];
      const [bare, whole] = [await toolsAt('/mcp'), await toolsAt('/mcp?toolsets=all')];
      assert.ok(bare.every((tool) => tool['outputSchema'] === undefined));
      assert.ok(whole.filter((tool) => tool['outputSchema'] !== undefined).length > 80);
      const named = whole.map(({ outputSchema: _, ...tool }) => tool);
      const isExtended = ({ name }: Json): boolean => mcpExtended.includes(String(name));
      assert.deepEqual(
        bare,
        named.filter((tool) => !isExtended(tool)),
      );
      assert.equal(named.filter(isExtended).length, mcpExtended.length);
    });

    it('lists the extended tools of its areas, which every address calls by name', async () => {
      const { alice } = world;
      const owner = alice.account;
      assert.deepEqual(await namesAt('/mcp?toolsets=files'), inAreas('files'));
      for (const path of ['/mcp', '/mcp?toolsets=time', '/mcp?toolsets=files']) {
        const call = toolCall(1, 'files-delete', { owner, key: 'no such file' });
        const refused = result(await send(world, call, { path, by: alice }));
        assert.equal((refused['structuredContent'] as Json)['code'], 'not-found', path);
      }
      const { id } = mustOk(
        await alice.post('/api/v1/memory/spaces', { owner, name: 'old', kind: 'private' }),
      );
      const call = toolCall(1, 'memory-rename-space', { owner, id, name: 'new' });
      mustResult(await send(world, call, { by: alice }));
      const spaces = mustResult(await send(world, toolCall(1, 'memory-spaces', {}), { by: alice }));
      assert.deepEqual(
        (spaces['spaces'] as readonly Json[]).map((space) => [space['id'], space['name']]),
        [[id, 'new']],
      );
      const gone = toolCall(1, 'memory-delete-space', { owner, id });
      mustResult(await send(world, gone, { by: alice }));
      const after = mustResult(await send(world, toolCall(1, 'memory-spaces', {}), { by: alice }));
      assert.deepEqual(after['spaces'], []);
    });

    it('takes calls of every tool, signed with the query', async () => {
      const { alice } = world;
      const call = toolCall(1, 'wallet-me', {});
      const answered = result(await send(world, call, { path: '/mcp?toolsets=time', by: alice }));
      assert.equal((answered['structuredContent'] as Json)['owner'], alice.account);
    });

    it('is refused with the list when it names what is none', async () => {
      for (const query of ['toolsets=work,nosuch', 'toolsets=', 'toolset=work', 'toolsets=Work']) {
        for (const asked of [
          request(1, 'tools/list'),
          request(1, 'initialize', { protocolVersion: REPORTED }),
          toolCall(1, 'hub-stats', {}),
        ]) {
          const answer = await send(world, asked, { path: `/mcp?${query}` });
          const { allowed } = mustFault(answer, 200, -32_602, 1);
          const names = allowed as readonly string[];
          for (const name of ['work', 'tasks', 'wallet', 'time']) assert.ok(names.includes(name));
        }
      }
    });
  });

  it('tools/list refuses a cursor that it never gave', async () => {
    for (const cursor of ['', 'x', 0, '__proto__', 'dG9vbCA5OQ']) {
      mustFault(await send(world, request(1, 'tools/list', { cursor })), 200, -32_602, 1);
    }
  });

  it('ask for no signature, and look at none', async () => {
    const broken = { signature: 'sig1=:AAAA:', 'signature-input': 'sig1=()' };
    for (const method of ['ping', 'tools/list', 'server/discover']) {
      const answer = await send(world, request(1, method), { headers: broken });
      assert.equal(answer.status, 200, method);
    }
  });

  it('server/discover answers a client that knows neither era', async () => {
    const answered = result(await send(world, request(1, 'server/discover')));
    assert.deepEqual(answered['supportedVersions'], [STATELESS, REPORTED]);
  });

  describe('without a handshake', () => {
    const meta = { [VERSION]: STATELESS, [CAPABILITIES]: {} };
    const stateless = (
      method: string,
      params: Json = {},
      headers: Readonly<Record<string, string>> = {},
    ): Promise<RpcAnswer> =>
      send(world, request('s', method, { _meta: meta, ...params }), {
        headers: { 'mcp-protocol-version': STATELESS, 'mcp-method': method, ...headers },
      });

    it('server/discover says versions, capabilities, instructions and who answers', async () => {
      const answered = result(await stateless('server/discover'));
      assert.equal(answered['resultType'], 'complete');
      assert.deepEqual(answered['supportedVersions'], [STATELESS, REPORTED]);
      assert.deepEqual(answered['capabilities'], { tools: {} });
      assert.ok(String(answered['instructions']).includes('RFC 9421'));
      const { name } = (answered['_meta'] as Json)['io.modelcontextprotocol/serverInfo'] as Json;
      assert.equal(name, 'agent-exchange-hub');
    });

    it('lists say how long they may be kept, and results that they are complete', async () => {
      const list = result(await stateless('tools/list'));
      assert.deepEqual([list['resultType'], list['cacheScope']], ['complete', 'public']);
      assert.ok(Number(list['ttlMs']) > 0);
      const name = 'hub-stats';
      const called = await stateless(
        'tools/call',
        { name, arguments: { x: 1 } },
        { 'mcp-name': name },
      );
      assert.equal(result(called)['resultType'], 'complete');
    });

    it('an unknown method is 404, and so is one that was taken away', async () => {
      for (const method of ['resources/list', 'initialize', 'ping']) {
        mustFault(await stateless(method), 404, -32_601, 's');
      }
    });

    it('headers that differ from the body are refused, each by name', async () => {
      const list: Json = { name: 'list-tasks' };
      for (const [method, params, headers] of [
        ['server/discover', {}, { 'mcp-protocol-version': REPORTED }],
        ['server/discover', {}, { 'mcp-protocol-version': '' }],
        ['server/discover', {}, { 'mcp-method': 'tools/list' }],
        ['server/discover', {}, { 'mcp-method': '' }],
        ['tools/call', list, {}],
        ['tools/call', list, { 'mcp-name': 'wallet-me' }],
        ['tools/call', list, { 'mcp-name': '=?base64?AAAA?=' }],
      ] as const) {
        mustFault(await stateless(method, params, headers), 400, -32_020, 's');
      }
      const wrapped = `=?base64?${Buffer.from('list-tasks').toString('base64')}?=`;
      const called = await stateless('tools/call', list, { 'mcp-name': wrapped });
      assert.equal(called.status, 200, called.text);
    });

    it('a version that is not served is refused with those that are', async () => {
      const params = { _meta: { ...meta, [VERSION]: '2099-01-01' } };
      const answer = await stateless('tools/list', params, {
        'mcp-protocol-version': '2099-01-01',
      });
      const data = mustFault(answer, 400, -32_022, 's');
      assert.deepEqual(data, { supported: [STATELESS, REPORTED], requested: '2099-01-01' });
    });

    it('every version it names can be asked for', async () => {
      for (const version of [STATELESS, REPORTED]) {
        const params = { _meta: { ...meta, [VERSION]: version } };
        const answer = await stateless('tools/list', params, { 'mcp-protocol-version': version });
        assert.equal(answer.status, 200, version);
      }
    });

    it('a request says what its client can do and which version it speaks', async () => {
      for (const _meta of [{ [VERSION]: STATELESS }, {}, { [VERSION]: 1 }]) {
        mustFault(await stateless('tools/list', { _meta }), 400, -32_602, 's');
      }
    });

    it('a mutation is as refused as with one', async () => {
      const name = 'publish-task';
      const answer = await stateless('tools/call', { name, arguments: {} }, { 'mcp-name': name });
      assert.equal(mustFault(answer, 401, -32_060, 's')['code'], 'unsigned');
      const known = toolCall(1, name, {});
      assert.equal((await send(world, known)).status, 401);
    });
  });
});
