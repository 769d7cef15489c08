import { install, NoBrowser } from './install.mjs';

/** The part of `npm test`: a first payment, all pages in both looks, and untrusted texts. */
export async function openShort(url, report) {
  await install(report);
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
      accessible({ page, narrow, paths: [...PAGES, '/no-such-page', ...more], report: quiet }),
    harmless: (path) => harmless(narrow, path),
    useSdk: (apiKey) => sdkElsewhere({ ...browser, url }, apiKey),
    faults: () => browser.faults,
    close: () => browser.close(),
  };
}

export { NoBrowser };
