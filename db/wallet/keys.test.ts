import { strict as assert } from 'node:assert';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { keyAccount, keyIdOf, type KeyId } from '../../domain/account.ts';
import { instant } from '../../domain/instant.ts';
import type { Store } from '../store.ts';
import { homeOf, settleKey } from './homes.ts';
import { accountOfKey, bindKey, boundKeys, labelKey, signerOf } from './keys.ts';
import { networks } from './networks.ts';

const AT = instant(1_800_000_000_000);

let made = 0;
function newKey(): KeyId {
  made += 1;
  return keyIdOf(new Uint8Array(32).fill(made));
}

onBothDatabases('keys', (open) => {
  let store: Store;
  before(async () => {
    store = await open();
  });

  it('binds a key to its own account, and to another for ever', async () => {
    const [key, other, third] = [newKey(), newKey(), newKey()];
    const bind = (to: KeyId): Promise<string> =>
      store.write((tx) => bindKey(tx, key, keyAccount(to), AT));
    const signer = (): ReturnType<typeof signerOf> => store.read((db) => signerOf(db, key));
    assert.equal(await signer(), undefined);
    assert.equal(await bind(key), keyAccount(key));
    assert.deepEqual(await signer(), { account: keyAccount(key), isSettled: false });
    for (const to of [other, third, key]) assert.equal(await bind(to), keyAccount(other));
    assert.deepEqual(await signer(), { account: keyAccount(other), isSettled: true });
  });

  it('binds no key elsewhere that is settled where it is', async () => {
    const [key, other] = [newKey(), newKey()];
    const settle = (to: KeyId): Promise<string> =>
      store.write((tx) => settleKey(tx, key, keyAccount(to), AT));
    assert.equal(await settle(key), keyAccount(key));
    assert.equal(await settle(other), keyAccount(key), 'the first word stands');
    const bound = await store.write((tx) => bindKey(tx, key, keyAccount(other), AT));
    assert.equal(bound, keyAccount(key));
    assert.equal(await store.read((db) => accountOfKey(db, key)), undefined);
  });

  it('settles a key once when several units do it at once', async () => {
    const [key, one, two] = [newKey(), newKey(), newKey()];
    const ends = await Promise.all([
      store.write((tx) => settleKey(tx, key, keyAccount(key), AT)),
      ...[one, two, one, two].map((to) =>
        store.write((tx) => bindKey(tx, key, keyAccount(to), AT)),
      ),
    ]);
    assert.equal(new Set(ends).size, 1);
    assert.equal(await store.read((db) => homeOf(db, key)), ends[0]);
  });

  it('lets no key sign for an account whose own key is bound to nothing', async () => {
    const [stranger, key] = [newKey(), newKey()];
    const binding = { boundBy: stranger };
    const bind = store.write((tx) => bindKey(tx, key, keyAccount(stranger), AT, binding));
    await assert.rejects(bind, /foreign key/i);
  });

  it('fills in a label only where there is none, unless an owner says so', async () => {
    const key = newKey();
    await store.write((tx) => bindKey(tx, key, keyAccount(key), AT));
    const label = (text: string, when: 'always' | 'when-unlabelled'): Promise<boolean> =>
      store.write((tx) => labelKey(tx, key, text, when));
    assert.equal(await label('first', 'when-unlabelled'), true);
    assert.equal(await label('stranger', 'when-unlabelled'), false);
    assert.equal(await label('owner', 'always'), true);
    const bound = await store.read((db) => boundKeys(db, keyAccount(key)));
    assert.equal(bound[0]?.label, 'owner');
  });

  it('knows the networks, and no faucet on real money', async () => {
    const found = await store.read(networks);
    assert.deepEqual(
      found.map(({ id, kind, faucet, minWithdraw }) => [id, kind, faucet, minWithdraw]),
      [
        ['base', 'real', false, 1_000_000n],
        ['play', 'play', false, null],
        ['sandbox', 'test', true, 10_000n],
      ],
    );
  });
});
