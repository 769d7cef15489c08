import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHub, generateKey, unwrap } from '../../../clients/typescript/index.ts';
import { accountOf, goTo, looksRight, makeKey, sure } from './people.mjs';

/**
 * A key that cannot be read has no backup and says so; one that can is saved under a passphrase,
 * removed, and brought back in another browser; a key of the command line is brought and stays shut.
 */
/** Until the page waits for events, so that the time of one is measured. */
const FOLLOWED_MS = 1_500;
const SEEN_MS_MAX = 2_000;
const PASSPHRASE = 'four words by the sea';

export async function keys({ open, report }) {
  const closed = await open();
  await closed.goto('/app/account/keys');
  await makeKey(closed);
  await closed.getByText('there is no backup of it either').waitFor();
  assert.equal(await closed.getByRole('button', { name: 'Save a backup' }).count(), 0);
  report('a key is made that nothing can read, and the page says what that means');
  const page = await open({ acceptDownloads: true });
  const account = await makesOpenKey(page);
  const file = await savesBackup(page);
  assert.ok(!file.includes(PASSPHRASE));
  await looksRight(page);
  await sure(page, 'Remove this key from this browser', 'Yes, remove it for ever');
  await page.getByRole('button', { name: 'Make a key in this browser' }).waitFor();
  report('a key that can be backed up is saved under a passphrase and removed');
  const other = await open({ viewport: { width: 320, height: 720 }, colorScheme: 'dark' });
  await bringsBackup(other, file);
  assert.equal(await accountOf(other), account, 'the same account');
  await other.getByText('there is no backup of it either').waitFor();
  await looksRight(other);
  await other.reload();
  assert.equal(await accountOf(other), account, 'kept through a reload');
  report('another browser opens the backup, with its passphrase alone, and keeps it shut');
  await bringsKeyFile(page);
  report('a key file of the command line is brought as well');
  await limitsKey(page);
  report('a limited key is made, its call is approved, and it is revoked');
}

/** The owner limits a key in the page; the key asks for more, waits, is approved, and is ended. */
async function limitsKey(page) {
  const hubUrl = new URL('/', page.url()).href;
  await page.goto('/app/account/money');
  await page.getByRole('button', { name: /test USDC/ }).click();
  await page.getByText('came in').waitFor();
  await page.goto('/app/account/keys');
  await page.getByLabel('Name of the limited key').fill('shopper');
  await page.getByLabel('At most in a day, in USDC').fill('0.5');
  await page.getByLabel('You approve calls above, in USDC').fill('0.1');
  await page.getByRole('button', { name: 'Make a limited key' }).click();
  const text = await page.getByText('"secretKey"').first().textContent();
  const { keyId, secretKey } = JSON.parse(/\{.*\}/.exec(text)[0]);
  await page.getByText('shopper').first().waitFor();
  await looksRight(page);
  const save = page.getByRole('button', { name: 'Download these limits as a signed file' });
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  const mandate = JSON.parse(readFileSync(await download.path(), 'utf8'));
  assert.equal(mandate.keyId, keyId, 'the mandate is one of the key');
  const key = { keyId, secretKey: Uint8Array.from(Buffer.from(secretKey, 'base64')) };
  const agent = createHub({ baseUrl: hubUrl, key });
  const { owner } = unwrap(await agent.GET('/api/v1/me'));
  const { account: to } = await generateKey();
  const body = {
    to,
    amount: '200000',
    memo: 'Bread & salt',
    idempotencyKey: 'asked in the browser',
  };
  const pay = () => agent.POST('/api/v1/wallet/{owner}/pay', { params: { path: { owner } }, body });
  await decidesInWords(page, pay);
  assert.equal(unwrap(await pay()).amount, '200000');
  await sure(page, 'Revoke this key', 'Yes, revoke it');
  await page.getByText('revoked', { exact: true }).waitFor();
  assert.equal((await pay()).error?.code, 'key-revoked');
}

/** A call that waits is seen on every page within two seconds; a press decides it, or is undone. */
async function decidesInWords(page, pay) {
  await page.goto('/app/work');
  await page.getByRole('heading', { name: 'Work', level: 1 }).waitFor();
  await sleep(FOLLOWED_MS);
  assert.equal((await pay()).error?.code, 'approval-needed');
  const asked = performance.now();
  const badge = page.getByRole('link', { name: '1 call waits for your approval' });
  await badge.waitFor();
  await page.waitForFunction(() => document.title.startsWith('(1) '));
  const seenMs = performance.now() - asked;
  assert.ok(seenMs < SEEN_MS_MAX, `the call is seen after ${seenMs} ms`);
  await goTo(page, 'Account');
  const sentence =
    /^shopper wants to pay 0\.20 test USDC to key:.{9} for “Bread & salt”\. Today 0\.00 of 0\.50 spent\.$/;
  await page.getByText(sentence).waitFor();
  await looksRight(page);
  await page.getByRole('button', { name: 'Refuse: shopper' }).click();
  await page.getByText('Refused.').waitFor();
  await badge.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo: shopper' }).click();
  await badge.click();
  await page.getByRole('button', { name: 'Approve: shopper' }).click();
  await looksRight(page);
  assert.equal((await pay()).error?.code, 'approval-needed', 'it can still be undone');
  await page.getByText('approved', { exact: true }).waitFor();
}

async function makesOpenKey(page) {
  await page.goto('/app/account/keys');
  await page.getByText('Bring a key, or make one that can be backed up').click();
  await looksRight(page);
  await page.getByRole('button', { name: 'Make a key that can be backed up' }).click();
  await page.getByRole('heading', { name: 'Keys of this account' }).waitFor();
  return accountOf(page);
}

async function savesBackup(page) {
  const save = page.getByRole('button', { name: 'Save a backup' });
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByLabel('The passphrase once more').fill('another one');
  await page.getByText('The two are not the same.').waitFor();
  assert.equal(await save.isEnabled(), false);
  await page.getByLabel('The passphrase once more').fill(PASSPHRASE);
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  await page.getByText('Try it before you rely on it.').waitFor();
  return readFileSync(await download.path(), 'utf8');
}

async function bringsBackup(page, file) {
  await page.goto('/app/account/keys');
  await page.getByText('Bring a key, or make one that can be backed up').click();
  await page.getByLabel('Content of the key file').fill('{"kind":1}');
  await page.getByText('This is no key file.').waitFor();
  await page.getByLabel('Key file', { exact: true }).setInputFiles({
    name: 'backup.json',
    mimeType: 'application/json',
    buffer: Buffer.from(file),
  });
  await page.getByText('A backup of key:').waitFor();
  await page.getByLabel('Passphrase').fill(`${PASSPHRASE}!`);
  await page.getByRole('button', { name: 'Use this key' }).click();
  await page.getByText('This passphrase does not open it.').waitFor();
  await page.getByLabel('Passphrase').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Use this key' }).click();
  await page.getByRole('heading', { name: 'Keys of this account' }).waitFor();
}

async function bringsKeyFile(page) {
  const { secretKey, keyId, account } = await generateKey();
  const text = JSON.stringify({ keyId, secretKey: Buffer.from(secretKey).toString('base64') });
  await page.getByText('Bring a key, or make one that can be backed up').click();
  await page.getByLabel('Content of the key file').fill(text);
  await page.getByRole('button', { name: 'Use this key' }).click();
  await page.getByRole('heading', { name: 'Keys of this account' }).waitFor();
  assert.equal(await accountOf(page), account);
}
