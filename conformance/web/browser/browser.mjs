import { AxeBuilder } from '@axe-core/playwright';
import chromium from '@sparticuz/chromium';
import { chromium as driver } from 'playwright-core';
import { NoBrowser, unpacked } from './install.mjs';

/** In one process contexts share storage; without web security the policy has less to forbid. */
const UNWANTED = ['--single-process', '--disable-web-security', '--allow-running-insecure-content'];
/** Where the package has no browser, one that is installed is taken. */
const INSTALLED = ['chrome', 'chromium', 'msedge'];
/** A machine that does much else may keep a page waiting; a page that never answers fails all the same. */
const WAIT_MS_MAX = 60_000;

/** The package's own browser, with its own libraries where the system lacks them. */
async function launch() {
  const own = await unpacked();
  if (own === undefined) return launchInstalled();
  const { executable, libraries, fonts } = own;
  const env = { ...process.env, FONTCONFIG_FILE: fonts };
  const options = {
    executablePath: executable,
    args: [...chromium.args.filter((arg) => !UNWANTED.includes(arg)), '--no-sandbox'],
    headless: true,
    timeout: WAIT_MS_MAX,
  };
  try {
    return await driver.launch({ ...options, env });
  } catch (error) {
    if (!/shared librar/.test(error.message)) throw error;
    return driver.launch({ ...options, env: { ...env, LD_LIBRARY_PATH: libraries } });
  }
}

async function launchInstalled() {
  for (const channel of INSTALLED) {
    const browser = await driver.launch({ channel, headless: true }).catch(() => undefined);
    if (browser !== undefined) return browser;
  }
  throw new NoBrowser(
    `npm has no browser for ${process.platform} on ${process.arch}, and none of ${INSTALLED.join(', ')} is installed.`,
  );
}

/** Records what must not happen: console errors, throws, loads against the policy or elsewhere. */
export async function openBrowser(url) {
  const browser = await launch();
  const faults = [];
  const refusals = [];
  const pages = [];
  /** Addresses with the person who was there. */
  const visited = [];
  /** `hub` is the origin of the hub where the pages are served by another one. */
  const open = async ({ hub, ...options } = {}) => {
    const context = await browser.newContext({
      baseURL: url,
      permissions: ['clipboard-read', 'clipboard-write'],
      reducedMotion: 'reduce',
      ...options,
    });
    await context.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) => {
        console.error(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
      });
    });
    context.setDefaultTimeout(WAIT_MS_MAX);
    const page = await context.newPage();
    pages.push(page);
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) visited.push({ address: frame.url(), context });
    });
    page.on('console', (line) => {
      if (line.type() === 'error') faults.push(`console: ${line.text()} ${line.location().url}`);
    });
    page.on('response', async (response) => {
      if (response.status() < 400) return;
      const body = await response.text().catch(() => '');
      refusals.push(
        `${response.status()} ${response.request().method()} ${response.url()} ${body}`,
      );
    });
    page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`));
    page.on('request', (request) => {
      const to = new URL(request.url());
      const isOurs =
        to.origin === (options.baseURL ?? url) ||
        to.origin === hub ||
        to.protocol === 'data:' ||
        to.protocol === 'blob:';
      if (!isOurs) faults.push(`request to ${to.origin}`);
    });
    return page;
  };
  return { open, faults, refusals, pages, visited, close: () => browser.close() };
}

/** The findings of axe, as lines: all of WCAG 2.2 A and AA and its best practices. */
export async function accessibilityFaults(page) {
  // Evaluating strings is what the page's policy forbids; axe is handed over by the debugger.
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Until nothing is loading any more. */
export async function settled(page) {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText('Loading …').first().waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.querySelectorAll('.loading').length === 0);
}
