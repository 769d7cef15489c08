import { install, NoBrowser } from './install.mjs';

/**
 * The part that `npm test` runs in a browser: the shortest walk to the first payment, every page in
 * both looks, and untrusted texts. `npm run web:test` has the rest.
 */
export async function openShort(url, tell) {
  await install(tell);
  const { openBrowser } = await import('./browser.mjs');
  const { accessible, earn, getsPaid } = await import('./firstPaidTask.mjs');
  const { harmless, HOSTILE_TEXT, hostileWord } = await import('./hostile.mjs');
  const { PAGES } = await import('./people.mjs');
  const { sdkElsewhere } = await import('./sdk.mjs');
  const quiet = () => undefined;
  const browser = await openBrowser(url);
  const page = await browser.open();
  const narrow = await browser.open({
    colorScheme: 'dark',
    viewport: { width: 320, height: 720 },
  });
  return {
    HOSTILE_TEXT,
    hostileWord,
    earn: () => earn(page, quiet),
    getsPaid: () => getsPaid(page, quiet),
    accessible: (more) =>
      accessible({ page, narrow, paths: [...PAGES, '/no-such-page', ...more], tell: quiet }),
    harmless: (path) => harmless(narrow, path),
    useSdk: (apiKey) => sdkElsewhere({ ...browser, url }, apiKey),
    faults: () => browser.faults,
    close: () => browser.close(),
  };
}

export { NoBrowser };
