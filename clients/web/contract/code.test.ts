import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mcpTools } from '../../../generated/doors.ts';
import { readInPython } from '../../../tools/docs/samples/readPython.ts';
import { runTypeScript } from '../../../tools/docs/samples/runTypeScript.ts';
import { contractOf } from '../../typescript/cli/contractOf.ts';
import { scriptedHub, type ScriptedHub } from '../../typescript/fixture.ts';
import { createHub, generateKey, unwrap } from '../../typescript/index.ts';
import { routeOf, pathTo } from '../routes.ts';
import { codeOf, linkTo, type FilledCall } from './code.ts';
import { linkedBody, linkedValues } from './link.ts';
import { addressOf, callable } from './operation.ts';

const contract: unknown = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
const OWN = 'key:8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR';
const ids = contractOf(contract).map(({ id }) => id);
const STRANGE = `it's "strange" $HOME \`id\` \\ 漢字`;

function filled(id: string, more: Partial<FilledCall> = {}): FilledCall {
  const operation = callable(contract, id, OWN) ?? assert.fail(id);
  const { values = {}, content = operation.body } = more;
  const at = addressOf(operation, values);
  assert.ok('address' in at, id);
  const { address } = at;
  return { operation, values, content, address, baseUrl: 'http://hub.example', own: OWN };
}

describe('the call of the form in code', function suite() {
  this.timeout(60_000);
  let scripted: ScriptedHub;
  before(async () => {
    scripted = await scriptedHub();
  });
  after(() => scripted.close());

  const calls = (): readonly FilledCall[] => [
    ...ids.map((id) => filled(id)),
    filled('tasks.list', { values: { q: STRANGE, limit: '5' } }),
    filled('tasks.get', { values: { id: '../a?b#c' } }),
    filled('tasks.publish', { content: { requester: OWN, title: STRANGE, rewardAmount: '1' } }),
  ];

  it('sends in TypeScript what the form sends', async () => {
    const key = await generateKey();
    for (const call of calls()) {
      scripted.play({ status: 200, body: {} });
      const hub = createHub({ baseUrl: scripted.baseUrl, key });
      await runTypeScript(codeOf(call).typescript ?? '', { hub, unwrap, key });
      const sent = scripted.received().at(-1);
      const { [call.operation.key ?? '']: _, ...body } = (sent?.body ?? {}) as Record<
        string,
        unknown
      >;
      const { id, method } = call.operation;
      assert.equal(sent?.method, method, id);
      assert.equal(plain(sent.target), plain(call.address), id);
      if (call.content !== undefined) assert.deepEqual(body, call.content, id);
    }
  });

  it('sends with curl what the form sends, as bash reads it', () => {
    const all = calls();
    const prints = (name: string): string =>
      `${name}() { printf '%s\\0' ${name} "$@"; printf '\\n\\0'; }`;
    const lines = all.map((call) => codeOf(call).curl ?? '');
    const input = ['openssl() { printf k; }', prints('hub'), prints('curl'), ...lines].join('\n');
    const { stdout, stderr, status } = spawnSync('bash', ['-s'], { input, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const printed = stdout.split('\n\0').slice(0, -1);
    assert.equal(printed.length, all.length);
    for (const [place, { operation, address, content, baseUrl }] of all.entries()) {
      const words = (printed[place] ?? '').split('\0').slice(0, -1);
      const isSigned = operation.auth === 'signed';
      assert.equal(words[0], isSigned ? 'hub' : 'curl', operation.id);
      assert.ok(words.includes(operation.method));
      assert.ok(words.includes(isSigned ? address : baseUrl + address), operation.id);
      if (content === undefined) continue;
      const { [operation.key ?? '']: key, ...body } = JSON.parse(words.at(-1) ?? '') as Record<
        string,
        unknown
      >;
      assert.deepEqual(body, content);
      assert.equal(key, operation.key === undefined ? undefined : 'k', operation.id);
    }
  });

  it('names in Python methods and arguments that the client has', function () {
    const samples = calls().map((call) => ({
      id: call.operation.id,
      text: codeOf(call).python ?? '',
    }));
    const setup = 'hub = models = None\n';
    const read = readInPython(setup, samples);
    if (read === undefined) {
      console.log('The code of the form in Python was not read: there is no Python here');
      this.skip();
    }
    assert.equal(read.output, `${samples.length} calls read\n`);
  });

  it('calls over MCP the tool of the operation, with every value as an argument', () => {
    const pay = JSON.parse(codeOf(filled('wallet.pay')).mcp ?? '') as {
      readonly params: object;
    };
    const { body } = filled('wallet.pay').operation;
    assert.deepEqual(pay.params, { name: 'wallet-pay', arguments: { owner: OWN, ...body } });
    for (const id of ids) {
      const tool = filled(id).operation.tool;
      assert.equal(codeOf(filled(id)).mcp === undefined, tool === undefined, id);
      if (tool !== undefined) assert.equal(mcpTools[tool], id);
    }
  });

  it('is opened again by its link, with the values of the form', () => {
    for (const call of calls()) {
      const query = linkTo(call);
      const path = pathTo('try', query);
      const route = routeOf(...split(path));
      assert.ok(route.page === 'tryCall', path);
      const { operation } = call;
      const address = addressOf(operation, linkedValues(route.query));
      assert.deepEqual(address, { address: call.address });
      const body = linkedBody(route.query, operation.owner, OWN);
      assert.deepEqual(body && JSON.parse(body), call.content);
      assert.equal(route.query['operation'], operation.id);
    }
  });

  it('is filled with the account of the browser that opens its link', () => {
    const other = `${OWN}x`;
    const body = linkedBody(linkTo(filled('router.call')), 'body.caller', other);
    assert.equal((JSON.parse(body ?? '') as { readonly caller?: string }).caller, other);
    assert.deepEqual(linkTo(filled('wallet.statement')), { operation: 'wallet.statement' });
    assert.equal(linkedBody({ body: 'no JSON' }, 'body.caller', other), 'no JSON');
  });

  it('has a link without the values where they are too long', () => {
    const long = filled('tasks.publish', { content: { title: 'x'.repeat(10_000) } });
    assert.deepEqual(linkTo(long), { operation: 'tasks.publish' });
  });
});

/** An address, however its letters are escaped. */
function plain(target: string): string {
  const { pathname, searchParams } = new URL(target, 'http://hub');
  return `${decodeURIComponent(pathname)}?${[...searchParams].sort().join('&')}`;
}

function split(path: string): readonly [string, string] {
  const at = path.indexOf('?');
  return [path.slice(0, at), path.slice(at)];
}
