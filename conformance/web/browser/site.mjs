import assert from 'node:assert/strict';
import { accessibilityFaults } from './browser.mjs';
import { picture } from './people.mjs';

/**
 * The documentation site as built, under the policy of the hub: read, searched by keyboard, followed
 * into the contract, and whole without scripts. `run.mjs` builds it.
 */
export async function site({ open, report }) {
  for (const [look, options] of [
    ['wide', {}],
    ['narrow', { colorScheme: 'dark', viewport: { width: 320, height: 720 } }],
  ]) {
    const page = await open(options);
    await page.goto('/docs/');
    await page.getByRole('heading', { name: 'Documentation', level: 1 }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), [], look);
    await picture(page, `-site-${look}`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').pressSequentially('reverse proxy certificate');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/operate\//);
    report(`a page is found by its words (${look})`);
    await page.context().close();
  }
  const page = await open();
  await page.goto('/docs/contract/tasks');
  await page.getByRole('link', { name: 'Fields, samples and refusals' }).first().click();
  await page.locator('details.entry[open]').getByText('Call it', { exact: true }).waitFor();
  await page.context().close();
  report('an operation of the site leads to its entry of the contract');
  const markdown = await open();
  await markdown.goto('/docs/operate/tls');
  const link = markdown.getByRole('link', { name: 'This page as Markdown, for agents' });
  const address = await link.getAttribute('href');
  assert.equal(address, '/docs/operate/tls.md');
  const paths = [address, '/docs/contract/tasks.md', '/docs/index.md'];
  const answers = await markdown.evaluate(
    (all) => Promise.all(all.map(async (path) => (await fetch(path)).text())),
    paths,
  );
  for (const [place, text] of answers.entries()) assert.match(text, /^# /, paths[place]);
  assert.ok(!answers[1].includes('{#'), 'the attributes of the site are not in it');
  await markdown.context().close();
  report('each page is there as Markdown for agents');
  const plain = await open({ javaScriptEnabled: false });
  await plain.goto('/docs/mcp');
  await plain.getByRole('heading', { name: 'MCP', level: 1 }).waitFor();
  await plain.context().close();
  report('without scripts a page is whole');
}
