import { AxeBuilder } from '@axe-core/playwright';
import chromium from '@sparticuz/chromium';
import { chromium as driver } from 'playwright-core';

/**
 * In one process all contexts share their storage, so that everybody would be the same account; and
 * without web security there is less that the policy of the pages could forbid.
 */
const UNWANTED = ['--single-process', '--disable-web-security', '--allow-running-insecure-content'];

/**
 * A browser that remembers what must never happen: an error on the console, a script that threw, a
 * load that the policy refused, a request to another place than the hub.
 */
export async function openBrowser(url) {
  const browser = await driver.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args.filter((arg) => !UNWANTED.includes(arg)), '--no-sandbox'],
    headless: true,
  });
  const faults = [];
  const pages = [];
  const open = async (options = {}) => {
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
    const page = await context.newPage();
    pages.push(page);
    page.on('console', (line) => {
      if (line.type() === 'error') faults.push(`console: ${line.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`));
    page.on('request', (request) => {
      const to = new URL(request.url());
      const isOurs =
        to.origin === (options.baseURL ?? url) ||
        to.protocol === 'data:' ||
        to.protocol === 'blob:';
      if (!isOurs) faults.push(`request to ${to.origin}`);
    });
    return page;
  };
  return { open, faults, pages, close: () => browser.close() };
}

/** What axe finds, as lines; every rule of WCAG 2.2 A and AA and its best practices. */
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
