import assert from 'node:assert/strict';
import { policyAt } from '../../domain/httpsig/fixture.ts';
import { inspect } from '../../domain/httpsig/inspect.ts';
import type { RawRequest } from '../../domain/httpsig/message.ts';
import { readSettings } from '../../server/boot/config.ts';
import { visitor } from '../harness/agents.ts';
import { startHub } from '../harness/hub.ts';
import { mustOk } from '../harness/must.ts';
import { closeWorld, ending, webSite } from './_fixture.ts';

describe('outside: the hub’s own guard', () => {
  afterEach(closeWorld);

  it('calls no private host unless HUB_ALLOW_PRIVATE_HOSTS names host and port', async () => {
    const [open, shut] = [await webSite((_, r) => r.end()), await webSite((_, r) => r.end())];
    const hub = await startHub({
      env: { HUB_ALLOW_PRIVATE_HOSTS: ` ${open.pair}, agents.lan:80 ` },
    });
    const { outbound: outbound } = hub.running.hub;
    assert.equal(ending(await outbound.fetch({ url: open.url })), 200);
    assert.equal(
      ending(await outbound.fetch({ url: shut.url, plainHttp: true })),
      'refused-address',
    );
    assert.equal(
      ending(await outbound.fetch({ url: hub.url, plainHttp: true })),
      'refused-address',
    );
    await hub.close();
    assert.equal(shut.connections(), 0);
    assert.equal(ending(await outbound.fetch({ url: open.url })), 'cancelled');
  });

  it('signs with a key that is found at /keys', async () => {
    const received: RawRequest[] = [];
    const site = await webSite((request, response) => {
      const { method = '', url: target = '', rawHeaders: headers } = request;
      received.push({ method, target, headers, body: new Uint8Array() });
      response.end();
    });
    const hub = await startHub({ env: { HUB_ALLOW_PRIVATE_HOSTS: site.pair } });
    const outcome = await hub.running.hub.outbound.fetch({ url: `${site.url}/?a=b`, sign: true });
    assert.equal(ending(outcome), 200);
    const { keys } = mustOk(await visitor(hub).get('/keys'));
    const [request] = received;
    assert.ok(request !== undefined);
    const policy = policyAt(hub.clock.now() / 1000, { origins: [site.url] });
    const verdict = inspect(request, policy);
    assert.ok(verdict.kind === 'verified', JSON.stringify(verdict));
    assert.ok(JSON.stringify(keys).includes(verdict.keyId));
    await hub.close();
  });

  it('refuses at start what is no list of plain pairs', () => {
    const bad =
      'localhost 127.0.0.1 127.1:80 0x7f.0.0.1:80 127.0.0.1:0 127.0.0.1:65536 127.0.0.1:080 http://a.b:80 a.b:80/ *:80 10.0.0.0/8:80 a.b.:80 [0::1]:80 ::1:80 u@h:80 a:b:80 ü.lan:80';
    for (const text of [...bad.split(' '), 'a.b:80;c.d:80', 'a.b:80 c.d:80']) {
      assert.throws(
        () => readSettings({ HUB_ALLOW_PRIVATE_HOSTS: text }),
        /^Error: HUB_ALLOW_PRIVATE_HOSTS is a list/,
        text,
      );
    }
    const good = readSettings({ HUB_ALLOW_PRIVATE_HOSTS: 'A.lan:1,[::1]:8080,,10.0.0.1:65535' });
    assert.deepEqual([...good.allowPrivateHosts], ['a.lan:1', '[::1]:8080', '10.0.0.1:65535']);
    assert.equal(readSettings({ HUB_ALLOW_PRIVATE_HOSTS: ' ' }).allowPrivateHosts.size, 0);
  });
});
