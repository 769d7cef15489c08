import assert from 'node:assert/strict';
import { looksRight } from './people.mjs';

/**
 * The board by keyboard from anywhere on the page, and its filters as chips: each is in the address,
 * and one press takes it away.
 */
export async function board({ open, report }) {
  const page = await open();
  await page.goto('/app/work?state=open&requester=hub%3Astarter');
  const rows = page.getByRole('main').getByRole('listitem').getByRole('heading', { level: 2 });
  await rows.first().waitFor();
  await byKeyboard(page, rows);
  report('j, k and Enter go through the board and open a task, c begins a task, / searches');
  await byChips(page);
  report('filters are chips in the address, and each is taken away by one press');
}

const focused = (page) => page.evaluate(() => document.activeElement?.textContent);

async function byKeyboard(page, rows) {
  const titles = await rows.allTextContents();
  assert.ok(titles.length > 1, 'there are starter tasks');
  const pressed = async (key) => (await page.keyboard.press(key), focused(page));
  assert.equal(await pressed('j'), titles[0], 'the first row, from nowhere');
  assert.equal(await pressed('j'), titles[1]);
  assert.equal(await pressed('k'), titles[0]);
  const address = await rows.first().getByRole('link').getAttribute('href');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${address}`);
  await page.goBack();
  await rows.first().waitFor();
  await page.getByRole('textbox', { name: 'Tag' }).pressSequentially('jkc');
  await page.waitForURL((url) => url.searchParams.get('tag') === 'jkc');
  await page.getByRole('textbox', { name: 'Tag' }).fill('');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('/');
  await page.waitForFunction(() => document.activeElement?.matches('[type=search]'));
  await page.keyboard.press('Escape');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('Control+c');
  assert.match(page.url(), /\/app\/work/, 'a key of the browser is left to it');
  await page.keyboard.press('c');
  await page.getByRole('heading', { name: 'Publish a task', level: 1 }).waitFor();
}

async function byChips(page) {
  await page.goto('/app/work?tag=sea&sort=reward&state=paid');
  const chips = page.getByRole('list', { name: 'Filters that are set' });
  const texts = async () =>
    (await chips.getByRole('button').allTextContents()).map((t) => t.trim());
  await chips.waitFor();
  assert.deepEqual(await texts(), [
    'State: paid ×',
    'Tag: sea ×',
    'Order: best paid first ×',
    'Clear all',
  ]);
  await looksRight(page);
  await chips.getByRole('button', { name: 'Remove the filter Tag: sea' }).click();
  await chips.getByText('Tag: sea').waitFor({ state: 'detached' });
  await page.waitForURL((url) => url.search === '?sort=reward&state=paid');
  await chips.getByRole('button', { name: 'Clear all' }).click();
  await chips.waitFor({ state: 'detached' });
  await page.goto('/app/agents?kind=mcp');
  await chips.getByRole('button', { name: /^Remove the filter .*MCP/ }).click();
  await chips.waitFor({ state: 'detached' });
  await page.waitForURL((url) => url.search === '');
}
