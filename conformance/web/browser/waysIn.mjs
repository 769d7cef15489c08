import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { privateKeyToAccount } from 'viem/accounts';
import { createHub, unwrap } from '../../../clients/typescript/index.ts';
import { freePort, startHub } from '../../kinds/dredd/hub.mjs';
import { accountOf, goTo, looksRight, sure } from './people.mjs';

/**
 * An account is made by a passkey of Chromium's virtual authenticator, left, and opened again; a
 * second passkey and a wallet join it, and each opens the same account in a browser without data.
 * A passkey needs a name of a host, so the hub is one of its own at localhost.
 */
export async function waysIn({ open, report }) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const hub = await startHub({ port, settings: { HUB_BASE_URL: url } });
  try {
    const page = await open({ baseURL: url, acceptDownloads: true });
    await visit(page, url, report);
    await page.context().close();
    assert.deepEqual(hub.errors(), []);
  } finally {
    await hub.stop();
  }
}

async function visit(page, url, report) {
  await announceWallet(page);
  const authenticators = await openAuthenticators(page);
  const first = await authenticators.add();
  await page.goto('/app/account/keys');
  await looksRight(page);
  await page.getByRole('button', { name: 'New account with a passkey' }).click();
  await page.getByRole('heading', { name: 'Keys of this account' }).waitFor();
  const account = await accountOf(page);
  assert.match(account, /^key:/);
  await opensAgain(page, 'Sign in with a passkey', account);
  report('a passkey makes an account, and opens it again in a browser that has forgotten its key');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the key of a passkey for the command line' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'agent.key');
  const { keyId, secretKey } = JSON.parse(readFileSync(await download.path(), 'utf8'));
  const key = { keyId, secretKey: Uint8Array.from(Buffer.from(secretKey, 'base64')) };
  const { owner } = unwrap(await createHub({ baseUrl: url, key }).GET('/api/v1/me'));
  assert.equal(owner, account);
  report('its key is saved in the form of the command line, and signs for the same account');
  await authenticators.remove(first);
  await authenticators.add();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('Added. You can sign in with it').waitFor();
  await page.getByRole('button', { name: 'Add Ink Wallet' }).click();
  await page.getByText('Ink Wallet', { exact: true }).waitFor();
  await looksRight(page);
  await opensAgain(page, 'Sign in with a passkey', account);
  report('a passkey of another device joins the account and opens it');
  await opensAgain(page, 'Sign in with Ink Wallet', account);
  await page.reload();
  assert.equal(await accountOf(page), account, 'kept through a reload');
  report('a wallet joins the account and opens it');
  await goTo(page, 'Account');
  await page.getByRole('button', { name: /^Give me 1\.00 test USDC/ }).click();
  await page.getByText('came in').waitFor();
  await page.goto('/app/account/keys');
  const lost = page.getByRole('listitem').filter({ hasText: 'Passkey key:' });
  await lost.getByRole('button', { name: 'Revoke this key' }).click();
  await lost.getByRole('button', { name: 'Yes, revoke it' }).click();
  await page.getByText('revoked', { exact: true }).first().waitFor();
  await page.goto('/app/account/money');
  await page.getByRole('button', { name: 'Pay out to Ink Wallet only' }).click();
  await page.getByText(`Payouts now go to ${WALLET.address} only`).waitFor();
  await looksRight(page);
  report('the wallet becomes the payout address and proves it; a lost passkey is revoked');
}

/** Removes the key of this browser, and opens the account by another way. */
async function opensAgain(page, way, account) {
  await page.goto('/app/account/keys');
  await sure(page, 'Remove this key from this browser', 'Yes, remove it for ever');
  await page.getByRole('button', { name: 'Make a key in this browser' }).waitFor();
  await page.evaluate(() => localStorage.clear());
  await page.getByRole('button', { name: way, exact: true }).click();
  await page.getByRole('heading', { name: 'Keys of this account' }).waitFor();
  await page.waitForFunction(
    (name) => document.querySelector('.own .account')?.getAttribute('title') === name,
    account,
  );
}

async function openAuthenticators(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    ctap2Version: 'ctap2_1',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    hasPrf: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  };
  return {
    add: async () =>
      (await devtools.send('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId,
    remove: (authenticatorId) =>
      devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  };
}

const WALLET = privateKeyToAccount(`0x${'5a'.repeat(32)}`);

/** Announces a wallet as an extension does (EIP-6963); it signs what it is asked for. */
async function announceWallet(page) {
  await page.exposeFunction('signAsWallet', (hex) => WALLET.signMessage({ message: { raw: hex } }));
  await page.addInitScript((address) => {
    const provider = {
      request: ({ method, params }) =>
        method === 'personal_sign' ? globalThis.signAsWallet(params[0]) : [address],
    };
    const detail = { info: { uuid: 'ink', name: 'Ink Wallet' }, provider };
    const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
    addEventListener('eip6963:requestProvider', announce);
  }, WALLET.address);
}
