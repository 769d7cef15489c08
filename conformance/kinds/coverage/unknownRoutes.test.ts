import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { document, operations } from '../../harness/contract.ts';
import { mustBeRefusal, refusalOf, type WireAnswer } from '../../harness/wire.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';

/** Paths that are not there, methods that are not theirs, and paths that look like others. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'PURGE'];
const filled = (path: string): string => path.replaceAll(/\{[A-Za-z]+\}/g, 'x');

describe('routes', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  function ask(method: string, path: string): Promise<WireAnswer> {
    return new Promise((resolve, reject) => {
      const sent = httpRequest(new URL(path, world.hub.url), { method }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const headers = new Headers(
            Object.entries(response.headers).map(([name, value]): [string, string] => [
              name,
              String(value),
            ]),
          );
          const isJson = headers.get('content-type') === 'application/json' && text !== '';
          const body = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
          resolve({ status: response.statusCode ?? 0, headers, text, body });
        });
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  it('unsupported_method: refuse a method that the path lacks with the ones it has', async () => {
    for (const [path, item] of Object.entries(document.paths)) {
      const has = Object.keys(item).map((method) => method.toUpperCase());
      const isHeaded = item['get'] !== undefined && item['get']['x-charge'] === undefined;
      const allow = [...has, 'OPTIONS', ...(isHeaded ? ['HEAD'] : [])].sort();
      for (const method of METHODS.filter((each) => !has.includes(each))) {
        const answer = await ask(method, filled(path));
        mustBeRefusal(answer, 405, 'method-not-allowed');
        assert.equal(answer.headers.get('allow'), allow.join(', '), `${method} ${path}`);
        assert.deepEqual(refusalOf(answer.body).refusal['allowed'], allow);
      }
    }
  });

  it('allow_header_conformance: OPTIONS names exactly the methods of the document', async () => {
    for (const [path, item] of Object.entries(document.paths)) {
      const has = Object.keys(item).map((method) => method.toUpperCase());
      const answer = await ask('OPTIONS', filled(path));
      const reported = (answer.headers.get('allow') ?? '').split(', ');
      const own = reported.filter((method) => !['HEAD', 'OPTIONS'].includes(method));
      assert.deepEqual(own.sort(), has.sort(), path);
      assert.equal(answer.text, '');
    }
  });

  it('are found nowhere but where the document says', async () => {
    for (const { path } of operations) {
      const real = filled(path);
      const shouted = real.toUpperCase();
      for (const other of [`${real}/`, `${real}/x/y/z`, `${real}//`, `/x${real}`, shouted]) {
        // The front door has no neighbours of that form: such a target names a host.
        if (other.startsWith('//') || other === real) continue;
        // The documentation is a site of files, of which the contract names the first page alone.
        if (other.startsWith('/docs/')) continue;
        // The name of a tile may have slashes, so all that follows is read as one.
        const isName = path.endsWith('{rest}') && other.startsWith(real);
        const answer = await ask('GET', other);
        if (!isName) mustBeRefusal(answer, 404, 'no-route');
        else if (document.paths[path]?.['get'] !== undefined)
          mustBeRefusal(answer, 400, 'bad-tile');
        else mustBeRefusal(answer, 405, 'method-not-allowed');
      }
    }
  });

  const neighbours: readonly (readonly [string, string, number, string])[] = [
    ['GET', '/api/v1/tasks/claim', 405, 'method-not-allowed'],
    ['POST', '/api/v1/tasks/claim', 401, 'unsigned'],
    ['GET', '/api/v1/tasks/x', 400, 'bad-path'],
    ['POST', '/api/v1/tasks/x', 405, 'method-not-allowed'],
    ['GET', '/api/v1/games/positions', 401, 'unsigned'],
    ['GET', '/api/v1/passport/verify', 405, 'method-not-allowed'],
    ['GET', '/api/v1/memory/search', 405, 'method-not-allowed'],
    ['GET', '/api/v1/validators/resign', 405, 'method-not-allowed'],
    ['POST', '/api/v1/games/predictions/due', 405, 'method-not-allowed'],
  ];
  for (const [method, path, status, code] of neighbours) {
    it(`${method} ${path} is the literal path, not a parameter: ${status} ${code}`, async () => {
      mustBeRefusal(await ask(method, path), status, code);
    });
  }

  it('answer no method of HTTP that the hub does not know with a body of another kind', async () => {
    for (const method of ['LOCK', 'MKCOL', 'SEARCH', 'SUBSCRIBE', 'M-SEARCH']) {
      mustBeRefusal(await ask(method, '/api/v1/tasks'), 405, 'method-not-allowed');
      mustBeRefusal(await ask(method, '/nowhere'), 404, 'no-route');
    }
  });
});
