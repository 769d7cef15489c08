import assert from 'node:assert/strict';
import { accessibilityFaults, settled } from './browser.mjs';
import { goTo, money, openAccount } from './people.mjs';

/** Checks that offline and slow networks are shown and lose nothing; exact values need no mouse. */
export async function network({ open, faults, report }) {
  const { page } = await openAccount(open, 1);
  await page.goto('/app/account/money');
  await page.getByLabel('Memo').fill('typed before the tunnel');
  await page.context().setOffline(true);
  await page.getByText('This browser is offline.').first().waitFor();
  await money(page).getByText('1.00').first().waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.context().setOffline(false);
  await page.getByText('This browser is offline.').waitFor({ state: 'detached' });
  assert.equal(await page.getByLabel('Memo').inputValue(), 'typed before the tunnel');
  // The browser says on the console that the hub could not be reached, as it should.
  await settled(page);
  assert.ok(faults.splice(0).every((fault) => /ERR_INTERNET_DISCONNECTED/.test(fault)));
  report('offline is said while it lasts; money, and what was typed, are still there');
  await isSlow(page);
  report('after a wait of over 4 s the page says that the hub or the network is slow');
  await showsExact(page);
  report(
    'one switch, by keyboard, shows every amount, time and account exact, and outlives a reload',
  );
}

async function isSlow(page) {
  let release;
  const waits = new Promise((resolve) => (release = resolve));
  await page.route('**/api/v1/models', (route) => waits.then(() => route.continue()));
  await goTo(page, 'Models');
  await page.getByText('The hub or the network is slow').first().waitFor();
  release();
  await page.getByText('The hub or the network is slow').first().waitFor({ state: 'detached' });
  await page.unroute('**/api/v1/models');
}

async function showsExact(page) {
  await page.goto('/app/account/money');
  await settled(page);
  const exact = page.getByRole('button', { name: 'Exact values' });
  await exact.focus();
  await page.keyboard.press('Enter');
  await money(page).getByText('1000000 units').first().waitFor();
  await page.reload();
  await money(page).getByText('1000000 units').first().waitFor();
  await page
    .getByText(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    .first()
    .waitFor();
  await page.setViewportSize({ width: 320, height: 720 });
  assert.ok(
    await page.evaluate(
      () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
    ),
  );
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole('button', { name: 'Exact values', pressed: true }).click();
  await money(page).getByText('1000000 units').first().waitFor({ state: 'detached' });
}
