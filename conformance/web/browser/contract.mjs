import assert from 'node:assert/strict';
import { accessibilityFaults } from './browser.mjs';
import { looksRight, picture, sure } from './people.mjs';

/**
 * The contract as a page, by keyboard: an operation is found by words, opened, read in each of the
 * three clients and copied; an address leads to it; without scripts it is whole.
 */
const SAMPLES = {
  TypeScript: /hub\.POST\('\/api\/v1\/tasks'/,
  Python: /\.tasks_publish\(|\.publish\(/,
  'Command line': /hub api /,
  curl: /hub POST \/api\/v1\/tasks/,
};

export async function contract({ open, report }) {
  for (const [look, options] of [
    ['wide', {}],
    ['narrow', { colorScheme: 'dark', viewport: { width: 320, height: 720 } }],
  ]) {
    const page = await open(options);
    await page.goto('/docs');
    await page.getByRole('heading', { name: 'The contract', level: 1 }).waitFor();
    await finds(page);
    await copiesEach(page);
    assert.deepEqual(await accessibilityFaults(page), [], look);
    const isWider = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    assert.equal(isWider, false, `the contract scrolls sideways when it is ${look}`);
    await picture(page, `-docs-${look}`);
    await isReachedByAddress(page);
    report(
      `an operation is found, opened and copied in three languages (${look}), by keyboard alone`,
    );
    await page.context().close();
  }
  await searchesOnPhone(open, report);
  await followsTree(open, report);
  await triesIt(open, report);
  const plain = await open({ javaScriptEnabled: false });
  await plain.goto('/docs');
  assert.equal(await plain.getByLabel('Search the contract').isVisible(), false);
  assert.ok((await plain.locator('details.entry').count()) > 200);
  await plain.context().close();
  report('without scripts all of it is there, and no search is offered');
}

async function finds(page) {
  const search = page.getByLabel('Search the contract');
  for (let presses = 0; presses < 60; presses += 1) {
    if (await search.evaluate((each) => each === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.type('publish task escrow');
  await page.getByText(/^\d+ of \d+ operations and shapes have this$/).waitFor();
  const shown = await page.locator('details.entry:not([hidden])').count();
  const all = await page.locator('details.entry').count();
  assert.ok(shown > 0 && shown < all / 4, `${shown} of ${all} are found`);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('tasks.publish');
  await page.keyboard.press('Enter');
  const opened = page.locator('details.entry[open]');
  await opened.getByText('Call it', { exact: true }).waitFor();
  assert.equal(await opened.count(), 1);
}

/** With the arrows from one language to the next, and each sample copied by its button. */
async function copiesEach(page) {
  const opened = page.locator('details.entry[open]');
  const copied = new Set();
  for (const [language, pattern] of Object.entries(SAMPLES)) {
    await page.getByRole('radio', { name: language }).focus();
    await page.keyboard.press('Space');
    const button = opened.getByRole('button', { name: 'Copy', exact: true });
    await button.waitFor();
    await button.focus();
    await page.keyboard.press('Enter');
    await opened.getByText('Copied.').last().waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    const shown = await opened.getByRole('group', { name: language }).innerText();
    assert.equal(text.trim(), shown.trim(), `${language} is copied as it is shown`);
    assert.match(text, pattern);
    copied.add(text);
  }
  assert.equal(copied.size, Object.keys(SAMPLES).length);
}

const SEARCHED_MS_MAX = 1_000;

/** On a processor four times as slow the first search, which reads all texts, ends within 1 s. */
async function searchesOnPhone(open, report) {
  const page = await open({ viewport: { width: 390, height: 844 } });
  await page.goto('/docs');
  const search = page.getByLabel('Search the contract');
  await search.waitFor();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const ms = await search.evaluate((field) => {
    field.value = 'payout address';
    const begun = performance.now();
    field.dispatchEvent(new Event('input'));
    // The layout of what is shown belongs to the search.
    document.querySelector('#found').getBoundingClientRect();
    return performance.now() - begun;
  });
  assert.ok(ms < SEARCHED_MS_MAX, `the search takes ${Math.round(ms)} ms`);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const entry = page
    .locator('details.entry:not([hidden])')
    .filter({ hasText: 'Register the payout' });
  assert.equal(await entry.locator('.hit mark').first().textContent(), 'payout');
  await page.context().close();
  report(`a search on a slow phone takes ${Math.round(ms)} ms and shows the line that it found`);
}

/** The tree leads to an operation, with its refusals and a copy for agents; changes are named. */
async function followsTree(open, report) {
  const page = await open();
  await page.goto('/docs');
  const tree = page.getByRole('navigation', { name: 'Operations' });
  await tree.getByText('tasks', { exact: true }).click();
  await tree.getByRole('link', { name: 'Publish a task', exact: true }).click();
  await tree.locator('a[aria-current]').getByText('Publish a task', { exact: true }).waitFor();
  const entry = page.locator('details.entry[open]');
  await entry.getByRole('heading', { name: 'Refusals' }).waitFor();
  const refusal = entry.locator('.codes details').first();
  await refusal.locator('summary').click();
  assert.match(await refusal.locator('pre').innerText(), /"code": "[a-z-]+",\n +"hint": /);
  await entry.getByRole('button', { name: 'Copy for agents' }).click();
  await entry.getByText('Copied.').first().waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(text, /^# Publish a task\n\n`POST \/api\/v1\/tasks`\n/);
  assert.match(text, /```sh\n.*hub POST \/api\/v1\/tasks/s);
  assert.match(text, /```json\n\{/);
  await tree.getByRole('link', { name: 'Changes' }).click();
  await page.getByRole('heading', { name: 'Changes' }).waitFor();
  await page.context().close();
  report('the tree opens an operation with its refusals, which is copied whole for an agent');
}

async function isReachedByAddress(page) {
  await page.goto('/docs#wallet.pay');
  await page.reload();
  const opened = page.locator('details.entry[open]');
  await opened.getByText('Call it', { exact: true }).waitFor();
  await opened.locator('[id="wallet.pay"]').waitFor();
  await page.goBack();
}

/** The first press makes the key that signs; a trial stores nothing, and a request that moves money asks twice. */
async function triesIt(open, report) {
  const page = await open();
  await page.goto('/docs#wallet.me');
  const entry = page.locator('details.entry[open]');
  await entry.getByRole('link', { name: 'Try it in this browser' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('200', { exact: true }).waitFor();
  const answer = page.getByLabel('Answer', { exact: true });
  const { owner: account } = JSON.parse(await answer.innerText());
  assert.match(account, /^key:/);
  await page.goto('/app/try?operation=tasks.publish');
  const body = page.getByLabel('Body', { exact: true });
  const draft = JSON.parse(await body.inputValue());
  assert.equal(draft.requester, account);
  await body.fill(JSON.stringify({ requester: account, title: 'Name the sea', description: 'x' }));
  await page.getByLabel('Only try it').check();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('200', { exact: true }).waitFor();
  await looksRight(page);
  await isSameInCode(page, account);
  await page.getByLabel('Only try it').uncheck();
  await sure(page, 'Send', 'Yes, send it');
  await page.getByText('200', { exact: true }).waitFor();
  assert.match(await answer.innerText(), /"id": "/);
  await page.getByRole('link', { name: 'Its description in the contract' }).click();
  await page.locator('[id="tasks.publish"]').waitFor();
  await page.context().close();
  report('an operation is tried and sent from the page, signed by the key of the browser');
}

/** The call of the form in four languages, and its link, which opens the form with its values. */
async function isSameInCode(page, account) {
  await page.getByText('The same call in code').click();
  const code = page.getByLabel('The same call in code', { exact: true });
  for (const [language, pattern] of [
    ['curl', /^hub POST '\/api\/v1\/tasks' /],
    ['TypeScript', /hub\.POST\('\/api\/v1\/tasks', \{/],
    ['Python', /hub\.tasks\.publish\(models\.TasksPublishBody/],
    ['MCP', /"name": "publish-task"/],
  ]) {
    await page.getByRole('radio', { name: language }).check();
    const text = await code.innerText();
    assert.match(text, pattern);
    assert.ok(text.includes('Name the sea') && text.includes(account), text);
  }
  assert.deepEqual(await accessibilityFaults(page), []);
  const link = page.getByRole('link', { name: 'This form with these values' });
  const other = await page.context().newPage();
  await other.goto(await link.getAttribute('href'));
  const body = other.getByLabel('Body', { exact: true });
  assert.equal(JSON.parse(await body.inputValue()).title, 'Name the sea');
  await other.close();
}
