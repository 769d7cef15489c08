import { AxeBuilder } from '@axe-core/playwright';
import chromium from '@sparticuz/chromium';
import { chromium as driver } from 'playwright-core';

/**
 * A browser that remembers what must never happen: an error on the console, a script that threw, a
 * load that the policy refused, a request to another place than the hub.
 */
export async function openBrowser(url) {
  const browser = await driver.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args, '--no-sandbox'],
    headless: true,
  });
  const faults = [];
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
    page.on('console', (line) => {
      if (line.type() === 'error') faults.push(`console: ${line.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`));
    page.on('request', (request) => {
      const to = new URL(request.url());
      const isOurs = to.origin === url || to.protocol === 'data:' || to.protocol === 'blob:';
      if (!isOurs) faults.push(`request to ${to.origin}`);
    });
    return page;
  };
  return { open, faults, close: () => browser.close() };
}

/** What axe finds, as lines; every rule of WCAG 2.2 A and AA and its best practices. */
export async function accessibilityFaults(page) {
  // Evaluating strings is what the page's policy forbids; axe is handed over by the debugger.
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}
