import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentCommands } from '../../harness/agentCommands.ts';
import { realClock } from '../../harness/clock.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { at } from '../../harness/must.ts';

/** `hub keys`: a limited key from its making to its end, as two people use it. */
describe('hub keys', () => {
  const home = mkdtempSync(join(tmpdir(), 'hub-keys-'));
  const commands = agentCommands(home, () => world.hub.url);
  let world: Fixture;
  before(async () => {
    world = await openFixture({ clock: realClock() });
  });
  after(async () => {
    await world.close();
    rmSync(home, { recursive: true, force: true });
  });

  async function run(...words: string[]): Promise<{ code: number; answer: unknown }> {
    const { code, out, err } = await commands.run(...words, '--json');
    const text = code === 0 ? out : err;
    return { code, answer: text.startsWith('{') ? (JSON.parse(text) as unknown) : text };
  }

  it('mints a key, approves its call, and revokes it', async () => {
    const { answer: owner } = await run('init');
    await world.hub.fund(String(at(owner, 'account')), '9000000');
    const limits = ['--per-day', '1', '--approve-above', '0.1', '--operation', 'wallet.pay'];
    const minted = await run('keys', 'mint', 'agent.json', '--label', 'shopper', ...limits);
    assert.equal(minted.code, 0, JSON.stringify(minted.answer));
    assert.equal(at(minted.answer, 'owner'), at(owner, 'account'));
    const agent = ['--key', join(home, 'agent.json')];
    const pay = ['pay', world.bob.account, '0.5', '--idempotency-key', 'asked', ...agent];
    const refused = await run(...pay);
    assert.equal(refused.code, 1);
    assert.equal(at(refused.answer, 'code'), 'approval-needed');
    const { answer: waiting } = await run('keys', 'approvals');
    const id = String(at(waiting, 'approvals', 0, 'id'));
    assert.equal((await run('keys', 'approve', id, ...agent)).code, 1, 'not by the key itself');
    assert.equal(at((await run('keys', 'approve', id)).answer, 'state'), 'approved');
    assert.equal(at((await run(...pay)).answer, 'amount'), '500000');
    const key = String(at(minted.answer, 'publicKey'));
    const limited = await run('keys', 'limit', key, '--per-day', '600000', '--atomic');
    assert.equal(at(limited.answer, 'spending', 'limits', 0, 'left'), '100000');
    assert.equal((await run('keys', 'unlimit', key)).code, 0);
    assert.ok(at((await run('keys', 'revoke', key)).answer, 'revokedAt'));
    assert.equal(at((await run('me', ...agent)).answer, 'code'), 'key-revoked');
  });

  it('exports the limits of a key as a mandate, and sets them from it', async () => {
    const { answer: owner } = await run('me');
    const minted = await run('keys', 'mint', 'shopper.json', '--per-call', '0.2');
    const key = String(at(minted.answer, 'publicKey'));
    const { answer: mandate } = await run('keys', 'mandate', key);
    assert.equal(at(mandate, 'owner'), at(owner, 'owner'));
    const file = join(home, 'mandate.json');
    writeFileSync(file, JSON.stringify(mandate));
    assert.equal((await run('keys', 'unlimit', key)).code, 0);
    const issuer = String(at(mandate, 'issuerKey'));
    for (const words of [[], ['--issuer', issuer]]) {
      const { answer } = await run('keys', 'import', key, file, ...words);
      assert.deepEqual(at(answer, 'spending', 'policy'), { perCall: '200000' });
    }
    const wrong = await run('keys', 'import', key, file, '--issuer', key);
    assert.equal(at(wrong.answer, 'code'), 'bad-request');
    assert.equal((await run('keys', 'import', key, file, '--issuer', '0')).code, 2);
    assert.equal((await run('keys', 'import', key, join(home, 'shopper.json'))).code, 2);
  });

  it('refuses words that name no limit, no time and no verb', async () => {
    for (const words of [
      ['mint', 'a.json'],
      ['limit', 'x', '--expires', 'soon'],
      ['limit', 'x', '--expires', '2026-02-30'],
      ['melt', 'x'],
    ]) {
      assert.equal((await run('keys', ...words)).code, 2, words.join(' '));
    }
  });
});
