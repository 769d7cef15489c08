import assert from 'node:assert/strict';
import { base58 } from '@scure/base';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { generateKey } from './index.ts';
import { identityOf, openSealed, recipientOf, sealFor } from './seal.ts';

describe('files that are sealed for accounts', () => {
  const content = new Uint8Array(200_000).map((_, at) => at % 251);

  it('are read by each of them, and by no other account', async () => {
    const [alice, bob, carol] = [await generateKey(), await generateKey(), await generateKey()];
    const sealed = await sealFor([alice.account, bob.account, bob.account], content);
    for (const key of [alice, bob]) assert.deepEqual(await openSealed(key, sealed), content);
    await assert.rejects(openSealed(carol, sealed), /no identity matched/);
    const changed = sealed.with(sealed.length - 1, (sealed.at(-1) ?? 0) ^ 1);
    await assert.rejects(openSealed(alice, changed));
    await assert.rejects(openSealed(alice, sealed.subarray(0, sealed.length - 70_000)));
    assert.equal(Buffer.from(sealed).includes(Buffer.from(content.subarray(0, 64))), false);
  });

  it('are those of age itself: its recipients and identities are ours', async () => {
    const key = await generateKey();
    const identity = await identityOf(key.secretKey);
    assert.equal(await identityToRecipient(identity), recipientOf(key.account));
    const other = await generateX25519Identity();
    const encrypter = new Encrypter();
    encrypter.addRecipient(recipientOf(key.account));
    encrypter.addRecipient(await identityToRecipient(other));
    const sealed = await encrypter.encrypt(content);
    assert.deepEqual(await openSealed(key, sealed), content);
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    assert.deepEqual(await decrypter.decrypt(await sealFor([key.account], content)), content);
  });

  it('have a fixed form, which the Python client shares', async () => {
    const secretKey = new Uint8Array(32).fill(1);
    const account = 'key:AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9';
    const recipient = 'age1rvd43h2sag2tvrdp0duse5p82nvhpjd6hpjwhv7q7vqklega8atsjue2se';
    assert.equal(recipientOf(account), recipient);
    assert.equal(
      await identityOf(secretKey),
      'AGE-SECRET-KEY-1TN5XA7M4LF8ZCSG0GMSKM60K4JHP59CR22R9RD5MC9MVPZ9770HQQTNGYF',
    );
  });

  it('are refused for accounts without an ed25519 key, and for none', async () => {
    const small = `key:${base58.encode(new Uint8Array(32).with(0, 1))}`;
    for (const account of ['evm:0x00', 'key:short', small, `key:${'1'.repeat(32)}`]) {
      await assert.rejects(sealFor([account], content), /no ed25519 key/, account);
    }
    await assert.rejects(sealFor([], content), /one account at least/);
  });
});
