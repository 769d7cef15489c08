import { strict as assert } from 'node:assert';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { keyAccount, keyIdOf, type KeyId } from '../../domain/account.ts';
import { instant } from '../../domain/instant.ts';
import type { Store } from '../store.ts';
import {
  accountOfKey,
  bindKey,
  confirmKey,
  labelKey,
  listKeys,
  PROPOSAL_KEPT_SECONDS,
  PROPOSALS_PER_ACCOUNT_MAX,
  proposeKey,
} from './keys.ts';
import { networks } from './networks.ts';

const AT = instant(1_800_000_000_000);
const LATER = instant(AT + PROPOSAL_KEPT_SECONDS * 1000);

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

  it('binds a key to one account for ever', async () => {
    const [key, other] = [newKey(), newKey()];
    const bind = (to: KeyId): Promise<string> =>
      store.write((tx) => bindKey(tx, key, keyAccount(to), AT));
    assert.equal(await store.read((db) => accountOfKey(db, key)), undefined);
    assert.equal(await bind(key), keyAccount(key));
    assert.equal(await bind(other), keyAccount(key));
    assert.equal(await store.read((db) => accountOfKey(db, key)), keyAccount(key));
  });

  it('binds once when a new key signs several requests at once', async () => {
    const [key, other] = [newKey(), newKey()];
    const ends = await Promise.all(
      [key, other, key, other].map((to) =>
        store.write((tx) => bindKey(tx, key, keyAccount(to), AT)),
      ),
    );
    assert.equal(new Set(ends).size, 1);
  });

  it('gives a proposed key no authority until it is confirmed', async () => {
    const [owner, key] = [newKey(), newKey()];
    const account = keyAccount(owner);
    await store.write((tx) => bindKey(tx, owner, account, AT));
    const proposal = { keyId: key, account, label: 'laptop', at: AT };
    assert.equal(await store.write((tx) => proposeKey(tx, proposal)), 'proposed');
    assert.equal(await store.read((db) => accountOfKey(db, key)), undefined);
    assert.deepEqual(await store.read((db) => listKeys(db, account, AT)), {
      bound: [{ keyId: owner, account, label: null, requestedAt: AT, boundAt: AT, boundBy: null }],
      pending: [{ keyId: key, account, label: 'laptop', proposedAt: AT }],
    });
    const wish = { keyId: key, account, at: instant(AT + 60_000) };
    assert.equal(await store.write((tx) => confirmKey(tx, wish, owner)), 'confirmed');
    assert.equal(await store.read((db) => accountOfKey(db, key)), account);
    const { bound, pending } = await store.read((db) => listKeys(db, account, AT));
    assert.deepEqual([bound.length, pending.length], [2, 0]);
    assert.deepEqual(bound[1], {
      keyId: key,
      account,
      label: 'laptop',
      requestedAt: AT,
      boundAt: wish.at,
      boundBy: owner,
    });
  });

  it('drops the proposals of a key that binds itself elsewhere', async () => {
    const [owner, key] = [newKey(), newKey()];
    const proposal = { keyId: key, account: keyAccount(owner), at: AT };
    await store.write((tx) => proposeKey(tx, proposal));
    await store.write((tx) => bindKey(tx, key, keyAccount(key), AT));
    assert.equal(await store.write((tx) => confirmKey(tx, proposal, owner)), 'not-proposed');
    assert.equal(await store.write((tx) => proposeKey(tx, proposal)), 'bound');
  });

  it('keeps five proposals an account for a day', async () => {
    const owner = newKey();
    const account = keyAccount(owner);
    const keys = Array.from({ length: PROPOSALS_PER_ACCOUNT_MAX + 1 }, newKey);
    const propose = (keyId: KeyId, at = AT): Promise<string> =>
      store.write((tx) => proposeKey(tx, { keyId, account, at }));
    const answers: string[] = [];
    for (const key of keys) answers.push(await propose(key));
    const [first = newKey(), last = newKey()] = [keys[0], keys.at(-1)];
    assert.deepEqual(answers, [...Array.from(keys.slice(1), () => 'proposed'), 'full']);
    assert.equal(await propose(first), 'proposed');
    const late = { keyId: first, account, at: LATER };
    assert.equal(await store.write((tx) => confirmKey(tx, late, owner)), 'not-proposed');
    assert.equal(await propose(last, LATER), 'proposed');
    const { pending } = await store.read((db) => listKeys(db, account, LATER));
    assert.deepEqual(
      pending.map(({ keyId }) => keyId),
      [last],
    );
  });

  it('lets nobody sign for an account whose own key is bound to nothing', async () => {
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
    const { bound } = await store.read((db) => listKeys(db, keyAccount(key), AT));
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
