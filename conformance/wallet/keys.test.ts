import assert from 'node:assert/strict';
import { mustOk } from '../harness/must.ts';
import { joinAccount } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { onlyTheOwner, walletPath } from './_signed.ts';

describe('wallet.keys', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  it('lists bound keys first, then pending ones, each in the order of naming', async () => {
    const owner = await world.agent();
    const path = `${walletPath(owner)}/keys`;
    mustOk(await owner.get(path));
    const named = [];
    for (const how of ['signed', 'unsigned', 'unsigned', 'signed'] as const) {
      world.hub.clock.advance(1);
      const key = await world.agent();
      const body = { publicKey: key.keyId };
      mustOk(await (how === 'signed' ? joinAccount(owner, key) : world.anyone.post(path, body)));
      named.push(key.keyId);
    }
    const answer = mustOk(await owner.get(path));
    const keys = answer['keys'] as readonly Record<string, unknown>[];
    assert.deepEqual(
      keys.map((key) => [key['publicKey'], key['state']]),
      [
        [owner.keyId, 'bound'],
        [named[0], 'bound'],
        [named[3], 'bound'],
        [named[1], 'pending'],
        [named[2], 'pending'],
      ],
    );
    assert.deepEqual([answer['owner'], answer['count']], [owner.account, 5]);
  });

  it('keeps when a key was first named, and by whom it was bound', async () => {
    const [owner, second] = [await world.agent(), await world.agent()];
    const path = `${walletPath(owner)}/keys`;
    const body = { publicKey: second.keyId };
    mustOk(await owner.get(path));
    const asked = mustOk(await world.anyone.post(path, body));
    world.hub.clock.advance(5);
    const bound = mustOk(await joinAccount(owner, second));
    world.hub.clock.advance(5);
    const [own, listed] = mustOk(await owner.get(path))['keys'] as readonly Record<
      string,
      unknown
    >[];
    assert.deepEqual(listed, bound);
    assert.deepEqual(
      [listed?.['requestedAt'], listed?.['boundBy']],
      [asked['requestedAt'], owner.keyId],
    );
    assert.deepEqual([own?.['boundBy'], own?.['requestedAt']], [undefined, own?.['boundAt']]);
  });

  onlyTheOwner(() => world, 'GET', '/keys');
});
