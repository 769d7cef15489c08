import assert from 'node:assert/strict';
import { accessibilityFaults, settled } from './browser.mjs';
import { openAccount, picture } from './people.mjs';

/**
 * Reads plots by pointer, keyboard, table and on paper, with units on their axes. The balance of a
 * new account that asked the faucet twice has two known values.
 */
export async function plots({ open, report }) {
  const { page } = await openAccount((options) => open({ ...options, hasTouch: true }), 2);
  const plot = page.locator('figure.plot', { hasText: 'Balance' });
  await plot.getByText('2.00 test USDC').waitFor();
  const marks = await plot.locator('text').allTextContents();
  assert.ok(marks.includes('0.00') && marks.includes('2.00'), marks.join(' '));
  const slider = plot.getByRole('slider', { name: 'Balance' });
  await slider.focus();
  await page.keyboard.press('Home');
  await plot.locator('.readout').getByText('1.00 test USDC').waitFor();
  assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /: 1\.00 test USDC$/);
  await page.keyboard.press('ArrowRight');
  await plot.locator('.readout').getByText('2.00 test USDC').waitFor();
  report('a plot names its unit on its axis, and arrow keys walk through its values');
  const drawing = plot.locator('svg').first();
  const { width } = await drawing.boundingBox();
  await drawing.hover({ position: { x: 60, y: 40 } });
  await plot.locator('.readout').getByText('1.00 test USDC').waitFor();
  await drawing.hover({ position: { x: width - 6, y: 40 } });
  await plot.locator('.readout').getByText('2.00 test USDC').waitFor();
  await drawing.tap({ position: { x: 60, y: 40 } });
  await plot.locator('.readout').getByText('1.00 test USDC').waitFor();
  report('a mouse and a finger read the nearest value');
  await plot.getByText('As a table').click();
  await plot.getByRole('cell').first().waitFor();
  assert.deepEqual(await plot.getByRole('cell').allInnerTexts(), ['2.00', '1.00']);
  await settled(page);
  assert.deepEqual(await accessibilityFaults(page), []);
  await picture(page);
  await page.emulateMedia({ media: 'print' });
  assert.ok(await plot.locator('svg').first().isVisible());
  await page.emulateMedia({ media: null });
  report('the same values are a table, and the drawing is printed');
  await page.goto('/app/trust');
  for (const name of ['Money inside the hub', 'Of users, and held for open work']) {
    const supply = page.getByRole('slider', { name });
    await supply.waitFor();
    assert.match((await supply.getAttribute('aria-valuetext')) ?? '', /: .*[1-9][\d,.]* test USDC/);
  }
  await settled(page);
  assert.deepEqual(await accessibilityFaults(page), []);
  report('the supply, the money of users and what is held are plots');
}
