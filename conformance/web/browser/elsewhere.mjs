import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { root } from '../../kinds/dredd/hub.mjs';
import { accessibilityFaults, settled } from './browser.mjs';
import { makeKey, money } from './people.mjs';

/** The pages as files of another origin: they read, sign and pay by CORS and load nothing else. */
const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };

export async function elsewhere({ open, url, faults, report }) {
  const folder = mkdtempSync(join(tmpdir(), 'hub-elsewhere-'));
  const { buildWeb } = await import(join(root, 'tools/buildWeb.mjs'));
  await buildWeb(folder, { hub: url });
  const server = createServer((request, response) => serve(folder, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const baseURL = `http://127.0.0.1:${server.address().port}`;
    const page = await open({ baseURL, hub: url });
    await page.goto('/app');
    await page.getByText('tasks open').waitFor();
    const contract = page.getByRole('link', { name: 'The contract' });
    assert.equal(await contract.getAttribute('href'), `${url}/docs`);
    await page.getByRole('button', { name: 'In a terminal' }).click();
    await page.getByText(`npx ${url}/client.tgz work`).first().waitFor();
    report(
      'the first page shows the figures of a hub of another origin, and leads to its contract',
    );
    await page.getByRole('link', { name: 'Open an account' }).click();
    await makeKey(page);
    await page.getByRole('button', { name: /^Give me 1\.00 test USDC/ }).click();
    await money(page).getByText('1.00').first().waitFor();
    await page.reload();
    await money(page).getByText('1.00').first().waitFor();
    await page.goto('/app/models');
    await page.getByLabel('Your message').fill('Name the sea.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('complete', { exact: true }).waitFor();
    await page.goto('/app/trust');
    await page.getByText('balanced', { exact: true }).waitFor();
    await page.goto('/app/work/nothing-of-this-name');
    await page.getByRole('alert').getByRole('link').first().waitFor();
    assert.match(
      await page.getByRole('alert').getByRole('link').first().getAttribute('href'),
      new RegExp(`^${url}/errors/`),
    );
    // The browser says on the console that there is no such task, as it should.
    assert.ok(faults.splice(0).every((fault) => /status of 40[04]/.test(fault)));
    await page.goto('/app/account');
    await settled(page);
    assert.deepEqual(await accessibilityFaults(page), []);
    report(
      'a key signs there, test money comes, a model streams and is paid, the books are recounted',
    );
    await page.context().close();
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Files by name, and the shell for every other address, as every server of files can. */
function serve(folder, request, response) {
  const { pathname } = new URL(request.url, 'http://files');
  const asset = join(folder, 'assets', pathname.slice('/app/assets/'.length));
  const isAsset = /^\/app\/assets\/[A-Za-z0-9.-]+$/.test(pathname) && existsSync(asset);
  const file = isAsset ? asset : join(folder, 'index.html');
  response.setHeader('content-type', TYPES[extname(file)]);
  response.end(readFileSync(file));
}
