import { accessibilityFaults, settled } from './browser.mjs';
import assert from 'node:assert/strict';

/** Below `/app`, those that need nothing to be there. */
export const PAGES = [
  '',
  '/work',
  '/publish',
  '/account',
  '/account/money',
  '/account/keys',
  '/account/work',
  '/account/listings',
  '/account/storage',
  '/account/webhooks',
  '/agents',
  '/trust',
  '/judges',
  '/ecosystem',
  '/models',
  '/games',
  '/status',
];

export async function makeKey(page) {
  await page.getByRole('button', { name: 'Make a key in this browser' }).click();
  await page.getByRole('navigation', { name: 'Pages of your account' }).waitFor();
}

export const accountOf = (page) =>
  page.getByLabel('Your account', { exact: true }).locator('.account').getAttribute('title');

export const accountTab = (page, name) =>
  page
    .getByRole('navigation', { name: 'Pages of your account' })
    .getByRole('link', { name, exact: true })
    .click();

export const linkTo = (page, name) =>
  page.locator('header, footer').getByRole('link', { name: new RegExp(`^${name}\\b`) });

export const goTo = (page, name) => linkTo(page, name).click();

/** The key of an agent becomes the key of this browser, on the page that asks for one. */
export async function bringKey(page, { keyId, secretKey }) {
  const text = JSON.stringify({ keyId, secretKey: Buffer.from(secretKey).toString('base64') });
  await page.getByText('Bring a key, or make one that can be backed up').click();
  await page.getByLabel('Content of the key file').fill(text);
  await page.getByRole('button', { name: 'Use this key' }).click();
}

/** A browser of its own with an account, and as many USDC of test money as it asks for. */
export async function openAccount(open, usdc = 0) {
  const page = await open();
  await page.goto('/app/account');
  await makeKey(page);
  for (let asked = 1; asked <= usdc; asked += 1) {
    await page.getByRole('button', { name: /^Give me 1\.00 test USDC/ }).click();
    await money(page).getByText(`${asked}.00`).first().waitFor();
  }
  return { page, account: await accountOf(page) };
}

/** A seat as a judge, on the page of the judges; one endpoint has one seat at a time. */
export async function takeSeat(page, endpoint) {
  await goTo(page, 'Judges');
  await page.getByLabel('Endpoint').fill(endpoint);
  await page.getByLabel('Stake in USDC').fill('0.5');
  await sure(page, 'Take a seat', 'Yes, take it');
  await page.getByText('drawn for cases').waitFor();
}

export async function giveUpSeat(page) {
  await goTo(page, 'Judges');
  await page.getByRole('button', { name: 'Give the seat up' }).click();
  await page.getByText('You have no seat.').waitFor();
}

export const money = (page) => page.getByRole('list', { name: 'Your money' });

/** Asserts that typed or chosen values of these fields are there again after a reload. */
export async function outliveReload(page, ...fields) {
  const values = () => Promise.all(fields.map((field) => field.inputValue()));
  const before = await values();
  await page.reload();
  assert.deepEqual(await values(), before, 'a reload keeps what was typed');
}

export async function sure(page, first, second) {
  await page.getByRole('button', { name: first, exact: true }).click();
  await page.getByRole('button', { name: second, exact: true }).click();
}

/** The page as it is now has no fault that axe finds and is not wider than the window. */
export async function looksRight(page) {
  await settled(page);
  assert.deepEqual(await accessibilityFaults(page), []);
  await picture(page);
}

let pictures = 0;
/** A picture for a person to look at, where WEB_PICTURES names a folder for them. */
export async function picture(page, name = new URL(page.url()).pathname.replaceAll('/', '-')) {
  const folder = process.env.WEB_PICTURES;
  if (folder === undefined) return;
  pictures += 1;
  await page.screenshot({
    path: `${folder}/${String(pictures).padStart(3, '0')}${name}.png`,
    fullPage: true,
  });
}

/**
 * Presses the first of these moves that the table offers, and its second question when it takes the
 * whole stack. Returns the number of moves that were pressed.
 */
export async function pressMove(page, names) {
  for (const name of names) {
    const button = page.getByRole('button', { name });
    if ((await button.count()) === 0) continue;
    // The table may move on between the look and the press; then there is nothing to press.
    const press = (each) => each.click({ timeout: 2_000 }).catch(() => undefined);
    await press(button.first());
    const yes = page.getByRole('button', { name: 'Yes, all in' });
    if ((await yes.count()) > 0) await press(yes);
    return 1;
  }
  return 0;
}
