import assert from 'node:assert/strict';
import { privateKeyToAccount } from 'viem/accounts';
import { keyIdOfSecret } from '../../typescript/sign.ts';
import { keyFileOf } from '../account/keyFile.ts';
import { keyFileText, keyOfSeed, seedOf, SignInError } from './derive.ts';
import { addressOf, seedOfWallet, signInText, walletOf, type Wallet } from './wallet.ts';

const HUB = 'https://hub.example';
const OWNER = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const OTHER = privateKeyToAccount(`0x${'22'.repeat(32)}`);

/** A wallet as a browser's extension offers it: an account that signs what it shows. */
function walletFor(account: typeof OWNER, change: (signature: string) => string = (s) => s) {
  const shown: string[] = [];
  const request: Wallet['provider']['request'] = async ({ method, params = [] }) => {
    if (method === 'eth_requestAccounts') return [account.address];
    const text = Buffer.from(String(params[0]).slice(2), 'hex').toString();
    shown.push(text);
    return change(await account.signMessage({ message: text }));
  };
  return { shown, wallet: { id: 'a', name: 'Test', provider: { request } } };
}

const announced = (detail: unknown): Event => Object.assign(new Event('announce'), { detail });

describe('a wallet as a way in', () => {
  it('yields the same key each time, and another one for another account or hub', async () => {
    const seed = async (account: typeof OWNER, hub = HUB) =>
      keyIdOfSecret(await seedOfWallet(walletFor(account).wallet, hub, false));
    assert.equal(await seed(OWNER), await seed(OWNER));
    assert.notEqual(await seed(OWNER), await seed(OTHER));
    assert.notEqual(await seed(OWNER), await seed(OWNER, 'https://other.example'));
  });

  it('shows a text of EIP-4361 that names the host first and has no changing part', async () => {
    const { shown, wallet } = walletFor(OWNER);
    await seedOfWallet(wallet, HUB, true);
    assert.equal(shown.length, 2);
    assert.equal(shown[0], shown[1]);
    assert.match(
      shown[0] ?? '',
      new RegExp(
        `^hub\\.example wants you to sign in with your Ethereum account:\n${OWNER.address}\n\n[^\n]+\n\nURI: https://hub\\.example\nVersion: 1\nChain ID: 1\nNonce: \\w{8,}\nIssued At: \\S+Z$`,
      ),
    );
    assert.equal(signInText(new URL(`${HUB}/app?x=1`), OWNER.address), shown[0]);
  });

  it('is refused when it signs the same text differently', async () => {
    let turn = 0;
    const { wallet } = walletFor(OWNER, (signature) => `${signature}0${(turn += 1)}`);
    await assert.rejects(
      seedOfWallet(wallet, HUB, true),
      (error) => error instanceof SignInError && error.reason === 'changing',
    );
  });

  it('reads an announcement only if it has an id, a name and a provider', () => {
    const provider = { request: async () => [] };
    const info = { uuid: 'one', name: `  ${'x'.repeat(500)}  ` };
    assert.equal(walletOf(announced({ info, provider }))?.name, 'x'.repeat(40));
    const broken = [
      undefined,
      null,
      7,
      {},
      { info },
      { info, provider: {} },
      { info: { ...info, uuid: 1 }, provider },
      { info: { ...info, name: '   ' }, provider },
      { info: null, provider },
    ];
    for (const detail of broken) assert.equal(walletOf(announced(detail)), undefined);
  });

  it('says so when it shows no account or signs nothing', async () => {
    const answers = [[], 'x', ['0x12'], undefined];
    for (const answer of answers) {
      const provider = { request: async () => answer };
      await assert.rejects(
        addressOf({ id: 'a', name: 'a', provider }),
        (error) => error instanceof SignInError && error.reason === 'noAccount',
      );
    }
    const provider = { request: () => Promise.reject(new Error('User rejected the request.')) };
    await assert.rejects(
      addressOf({ id: 'a', name: 'a', provider }),
      (error) => error instanceof SignInError && error.reason === 'cancelled',
    );
  });
});

describe('a key that is derived', () => {
  it('differs by its purpose, and is the key that its file holds', async () => {
    const secret = Uint8Array.from({ length: 32 }, (_, place) => place);
    const [passkey, wallet] = [await seedOf(secret, 'passkey/v1'), await seedOf(secret, 'w/v1')];
    assert.notDeepEqual(passkey, wallet);
    assert.equal(passkey.length, 32);
    const { keyId, isExportable } = await keyOfSeed(passkey);
    assert.equal(keyId, await keyIdOfSecret(passkey));
    assert.equal(isExportable, false);
    const file = keyFileOf(await keyFileText(passkey));
    assert.ok(file.is === 'plain');
    assert.deepEqual(file.secret, passkey);
  });

  it('never changes: a change here would lock people out of their accounts', async () => {
    const secret = Uint8Array.from({ length: 32 }, () => 7);
    const hex = Buffer.from(await seedOf(secret, 'passkey/v1')).toString('hex');
    assert.equal(hex, '4aeda73618f8ab576584e4f8b15a8c7a1f3a1a59f9f45dbe041a3085400ddf5d');
  });
});
