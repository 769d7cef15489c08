import assert from 'node:assert/strict';
import { startHub } from '../../kinds/dredd/hub.mjs';
import { measured, slowed, tooMuch } from './measure.mjs';
import { goTo, looksRight } from './people.mjs';

/**
 * The operator's page, on a hub of its own: it has the frame of the other pages, nothing of it moves
 * while it loads, and money stops and moves again after a second press each.
 */
const TOKEN = 'a-token-of-the-operator-for-this-run';
const REASON = 'A rail is being repaired.';

export async function admin({ open, report }) {
  const hub = await startHub({ settings: { HUB_ADMIN_TOKEN: TOKEN } });
  const httpCredentials = { username: 'operator', password: TOKEN };
  const page = await open({ baseURL: hub.url, httpCredentials });
  try {
    await page.goto('/admin');
    await page.getByText('No backup was made yet.').waitFor();
    await page.getByRole('region', { name: 'Jobs' }).getByText('works').first().waitFor();
    await looksRight(page);
    await stops(page);
    report('money is frozen with a reason and moves again, each after a second press');
    await goTo(page, 'Work');
    await page.getByRole('heading', { name: 'Work', level: 1 }).waitFor();
    report('its header and footer lead to the other pages');
    await slowed(page);
    assert.deepEqual(tooMuch('/admin', await measured(page, '/admin')), []);
    report('nothing of it moves or overflows at 390, 1280 and 1440 px');
  } finally {
    // It would go on asking a hub that is gone.
    await page.context().close();
    await hub.stop();
  }
}

async function stops(page) {
  const yes = page.getByRole('button', { name: 'Yes, freeze all money' });
  assert.equal(await yes.isVisible(), false, 'the first press shows the second one');
  await page.getByText('Freeze all money', { exact: true }).click();
  await page.getByLabel('Reason').fill(REASON);
  await looksRight(page);
  await yes.click();
  await page.getByText(REASON).waitFor();
  await looksRight(page);
  const thaw = page.getByRole('button', { name: 'Yes, let money move' });
  assert.equal(await thaw.isVisible(), false, 'the first press shows the second one');
  await page.getByText('Let money move again', { exact: true }).click();
  await thaw.click();
  await page.getByText('Money moves', { exact: true }).waitFor();
}
