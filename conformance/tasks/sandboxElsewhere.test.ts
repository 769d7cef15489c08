import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openScriptedAgents } from '../../clients/sandbox/agents.ts';
import { dialling } from '../../clients/sandbox/dial.ts';
import { openAgents } from '../../clients/sandbox/run.ts';
import { openEndpoint } from '../../clients/sandbox/validators.ts';
import { plain } from '../harness/agents.ts';
import { startHub } from '../harness/hub.ts';
import { authority } from '../outbound/_certificates.ts';

/** The scripted agents of a hub whose callers know it by another address than it listens at. */
describe('sandbox agents of a hub behind a proxy', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'hub-elsewhere-'));
    const { cert, key } = authority('An authority of this test').issue(['hub.example']);
    writeFileSync(join(folder, 'cert.pem'), cert);
    writeFileSync(join(folder, 'key.pem'), key);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const tls = (): Record<string, string> => ({
    HUB_TLS_CERT: join(folder, 'cert.pem'),
    HUB_TLS_KEY: join(folder, 'key.pem'),
  });

  const places: readonly (readonly [string, () => Record<string, string>])[] = [
    ['another name, port and scheme', () => ({ HUB_BASE_URL: 'https://hub.example' })],
    ['every interface of the machine', () => ({ HUB_HOST: '0.0.0.0' })],
    ['a certificate for its name', () => ({ ...tls(), HUB_BASE_URL: 'https://hub.example:8443' })],
  ];
  for (const [what, env] of places) {
    it(`act on it with ${what}`, async () => {
      const endpoints = { judge: await openEndpoint(), arbiter: await openEndpoint() };
      const pairs = `${endpoints.judge.pair},${endpoints.arbiter.pair}`;
      const cast = await openScriptedAgents(folder);
      const hub = await startHub({
        env: { ...env(), HUB_ALLOW_PRIVATE_HOSTS: pairs },
        sandboxAgents: cast.accounts,
      });
      try {
        const { baseUrl } = hub.running.hub.settings;

        const place = { baseUrl, now: () => hub.clock.now(), fetch: dialling(hub.url) };
        const agents = openAgents(cast, endpoints, place);
        assert.deepEqual(await agents.look(), []);
        const tasks = plain({ url: baseUrl, clock: hub.clock }, 'GET', '/api/v1/tasks?tag=sandbox');
        const answer: unknown = await (await place.fetch(tasks)).json();
        assert.match(JSON.stringify(answer), /sandbox:/);
      } finally {
        await hub.close();
        await Promise.all([endpoints.judge.close(), endpoints.arbiter.close()]);
      }
    });
  }
});
