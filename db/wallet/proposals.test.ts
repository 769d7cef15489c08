import { strict as assert } from 'node:assert';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { keyAccount, keyIdOf, type KeyId } from '../../domain/account.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import type { Store } from '../store.ts';
import { settleKey } from './homes.ts';
import {
  accountsSignedFor,
  askForKey,
  keysSignedFor,
  PROPOSAL_KEPT_SECONDS,
  proposalsOf,
  signForAccount,
  signForKey,
  sweepProposals,
  UNSIGNED_PER_ACCOUNT_MAX,
  type Wish,
} from './proposals.ts';

const AT = instant(1_800_000_000_000);
const after = (seconds: number): Instant => instant(AT + seconds * 1000);
const DAY = PROPOSAL_KEPT_SECONDS;

let made = 0;
function newKey(): KeyId {
  made += 1;
  return keyIdOf(new Uint8Array(32).fill(made));
}

onBothDatabases('key proposals', (open) => {
  let store: Store;
  before(async () => {
    store = await open();
  });

  const wish = (owner: KeyId, keyId: KeyId, more: Partial<Wish> = {}): Wish => {
    return { account: keyAccount(owner), keyId, at: AT, ...more };
  };
  const list = (owner: KeyId, at: Instant) =>
    store.read((db) => proposalsOf(db, keyAccount(owner), at));

  it('know both signatures, in either order, and keep the first time', async () => {
    for (const order of ['account', 'key'] as const) {
      const [owner, key] = [newKey(), newKey()];
      const sign = (side: 'account' | 'key', at: Instant) =>
        store.write((tx) =>
          side === 'account'
            ? signForAccount(tx, wish(owner, key, { at }), owner)
            : signForKey(tx, wish(owner, key, { at })),
        );
      const first = await sign(order, AT);
      assert.equal(first.byAccount === undefined, order === 'key');
      assert.equal(first.byKeyAt === undefined, order === 'account');
      const both = await sign(order === 'key' ? 'account' : 'key', after(60));
      assert.equal(both.byAccount?.keyId, owner);
      assert.notEqual(both.byKeyAt, undefined);
      assert.equal(both.proposedAt, AT);
    }
  });

  it('see the other signature when both come at once', async () => {
    const [owner, key] = [newKey(), newKey()];
    const halves = await Promise.all([
      store.write((tx) => signForAccount(tx, wish(owner, key), owner)),
      store.write((tx) => signForKey(tx, wish(owner, key))),
    ]);
    const whole = halves.filter((each) => each.byAccount && each.byKeyAt !== undefined);
    assert.equal(whole.length, 1, 'the later one of the two sees both');
  });

  it('count a signature for a day, to the second', async () => {
    const [owner, key] = [newKey(), newKey()];
    await store.write((tx) => signForKey(tx, wish(owner, key)));
    const late = (at: Instant) =>
      store.write((tx) => signForAccount(tx, wish(owner, key, { at }), owner));
    assert.equal((await late(after(DAY - 1))).byKeyAt, AT);
    assert.equal((await late(after(DAY))).byKeyAt, undefined);
    const again = await store.write((tx) => signForKey(tx, wish(owner, key, { at: after(DAY) })));
    assert.equal(again.byAccount?.at, after(DAY), 'a fresh signature counts from its own time');
  });

  it('allow five unsigned ones, and accept a signed one beside them', async () => {
    const owner = newKey();
    const keys = Array.from({ length: UNSIGNED_PER_ACCOUNT_MAX + 1 }, newKey);
    const asked = [];
    for (const key of keys) asked.push(await store.write((tx) => askForKey(tx, wish(owner, key))));
    assert.deepEqual(
      asked.map((each) => each === 'full'),
      [false, false, false, false, false, true],
    );
    const [signer, other] = [newKey(), newKey()];
    await store.write((tx) => signForKey(tx, wish(owner, signer)));
    await store.write((tx) => signForAccount(tx, wish(owner, other), owner));
    const shown = await list(owner, AT);
    assert.deepEqual([shown.length, shown[0]?.keyId, shown[1]?.keyId], [7, other, signer]);
    assert.equal((await list(owner, after(DAY))).length, 0);
    assert.equal((await store.write((tx) => sweepProposals(tx, after(DAY)))) >= 7, true);
  });

  it('drop the label of an unsigned request, and put that of the account first', async () => {
    const [owner, key] = [newKey(), newKey()];
    await store.write((tx) => askForKey(tx, wish(owner, key, { label: 'stranger' })));
    const first = await store.write((tx) => signForKey(tx, wish(owner, key)));
    assert.equal(first.label, null);
    const named = await store.write((tx) => signForKey(tx, wish(owner, key, { label: 'mine' })));
    assert.equal(named.label, 'mine');
    const by = (label?: string) =>
      store.write((tx) =>
        signForAccount(tx, wish(owner, key, label === undefined ? {} : { label }), owner),
      );
    assert.equal((await by()).label, 'mine');
    assert.equal((await by('ours')).label, 'ours');
    const last = await store.write((tx) => signForKey(tx, wish(owner, key, { label: 'other' })));
    assert.equal(last.label, 'ours');
  });

  it('are counted for each side, and end when the key is settled', async () => {
    const [owner, key] = [newKey(), newKey()];
    const [second, third] = [newKey(), newKey()];
    for (const to of [owner, second]) await store.write((tx) => signForKey(tx, wish(to, key)));
    await store.write((tx) => signForAccount(tx, wish(owner, third), owner));
    const counted = await store.read(async (db) => [
      await accountsSignedFor(db, wish(owner, key)),
      await keysSignedFor(db, wish(owner, key)),
      await accountsSignedFor(db, wish(owner, key, { at: after(DAY) })),
    ]);
    assert.deepEqual(counted, [1, 1, 0]);
    await store.write((tx) => settleKey(tx, key, keyAccount(key), AT));
    assert.deepEqual(
      (await list(owner, AT)).map((each) => each.keyId),
      [third],
    );
  });
});
