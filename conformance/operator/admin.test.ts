import assert from 'node:assert/strict';
import { noteBackup } from '../../db/operator/backups.ts';
import { instant } from '../../domain/instant.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';

const TOKEN = 'an admin token that is long';

describe('the page /admin', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture({ env: { HUB_ADMIN_TOKEN: TOKEN, HUB_LOG: 'silent' } });
    await world.fund(world.alice, '1000');
  });
  after(() => world.close());

  const basic = (password: string) => `Basic ${Buffer.from(`me:${password}`).toString('base64')}`;
  const admin = (authorization: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${world.hub.url}/admin`, {
      redirect: 'manual',
      ...init,
      headers: { ...init.headers, authorization },
    });
  const submit = async (form: Record<string, string>, origin?: string): Promise<Response> => {
    const body = new URLSearchParams(form);
    const headers = origin === undefined ? {} : { origin };
    const answer = await admin(basic(TOKEN), { method: 'POST', body, headers });
    await world.hub.runJob('pauseCheck');
    return answer;
  };
  let count = 0;
  const pay = () =>
    world.alice.post(`/api/v1/wallet/${world.alice.account}/pay`, {
      to: world.bob.account,
      amount: '1',
      idempotencyKey: `pay ${(count += 1)}`,
    });

  it('opens to the token alone, as a bearer or as a password', async () => {
    for (const wrong of ['', 'Bearer ', `Bearer ${TOKEN}x`, basic('no'), `Basic ${TOKEN}`]) {
      const refused = await admin(wrong);
      assert.equal(refused.status, 401, wrong);
      assert.match(refused.headers.get('www-authenticate') ?? '', /^Basic /);
      assert.doesNotMatch(await refused.text(), /<h2>/);
    }
    for (const right of [`Bearer ${TOKEN}`, basic(TOKEN)]) {
      assert.equal((await admin(right)).status, 200);
    }
  });

  it('does not exist without the setting', async () => {
    const own = await openFixture();
    try {
      const answer = await fetch(`${own.hub.url}/admin`, { headers: { authorization: basic('') } });
      assert.equal(answer.status, 404);
    } finally {
      await own.close();
    }
  });

  it('shows jobs, queues, and untrusted text of a log line as text', async () => {
    await world.hub.runJob('housekeeping');
    const { log } = world.hub.running.hub;
    log.level = 'warn';
    log.warn({ text: '<script>1</script>' }, 'watch this');
    log.level = 'silent';
    const text = await (await admin(basic(TOKEN))).text();
    assert.match(
      text,
      /<td>Housekeeping<\/td>\s*<td>works<\/td>\s*<td><time [^>]+>\d+ s ago<\/time><\/td>/,
    );
    assert.match(text, /Transfers that no block covers/);
    assert.match(text, /Appeals without an answer<\/td>\s*<td>0</);
    assert.match(text, /watch this: text=&lt;script&gt;/);
    assert.match(text, /<p class="figure">Money moves<\/p>/);
  });

  it('shows when the newest backup was made, or that none was', async () => {
    const backups = async (): Promise<string> =>
      /<h2>Backups<\/h2>\s*<p>([\s\S]*?)<code>/.exec(
        await (await admin(basic(TOKEN))).text(),
      )?.[1] ?? '';
    assert.match(await backups(), /^\s*No backup was made yet\.\s*$/);
    const { store, clock } = world.hub.running.hub;
    await store.decide(noteBackup(instant(clock.now() - 2 * 3_600_000)));
    assert.match(await backups(), /The newest backup was made <time [^>]+>2 h ago<\/time>\./);
  });

  it('freezes money and lets it move again', async () => {
    mustOk(await pay());
    assert.equal((await submit({ action: 'freeze', reason: 'odd <b>' })).status, 303);
    mustRefuse(await pay(), 503, 'ledger-frozen');
    assert.match(await (await admin(basic(TOKEN))).text(), /Money is frozen .*odd &lt;b&gt;/);
    assert.equal((await submit({ action: 'thaw' }, world.hub.url)).status, 303);
    mustOk(await pay());
  });

  it('asks for a second press before money stops or moves again', async () => {
    const shown = async (): Promise<string> => (await admin(basic(TOKEN))).text();
    const buttons = (text: string): readonly string[] =>
      [...text.matchAll(/<button[^>]*value="(\w+)"/g)].map(([, action = '']) => action);
    const asked = (text: string): string =>
      /<details>\s*<summary>([^<]+)<\/summary>[\s\S]*<button[\s\S]*<\/details>/.exec(text)?.[1] ??
      '';
    const moving = await shown();
    assert.deepEqual([buttons(moving), asked(moving)], [['freeze'], 'Freeze all money']);
    await submit({ action: 'freeze', reason: 'a second press' });
    const frozen = await shown();
    assert.deepEqual([buttons(frozen), asked(frozen)], [['thaw'], 'Let money move again']);
    await submit({ action: 'thaw' });
    assert.doesNotMatch(await shown(), /<details open/);
  });

  it('takes no form of another origin, and none without an action or a reason', async () => {
    const frozen = { action: 'freeze', reason: 'x' };
    assert.equal((await submit(frozen, 'https://elsewhere.example')).status, 400);
    assert.equal((await submit(frozen, 'null')).status, 400);
    assert.equal((await submit({ action: 'freeze' })).status, 400);
    assert.equal((await submit({ action: 'melt', reason: 'x' })).status, 400);
    mustOk(await pay());
  });
});
