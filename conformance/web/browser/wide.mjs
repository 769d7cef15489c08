import assert from 'node:assert/strict';
import { settled } from './browser.mjs';
import { openAccount, PAGES, picture } from './people.mjs';

/**
 * Every page at 3840 by 2160: nothing is wider than it, the page is no strip in its middle, no line
 * is too long to follow, no control or plot is stretched, and at most one button is primary.
 */
const SCREEN = { width: 3840, height: 2160 };
const LETTERS_MAX = 100;
const SHARE_LEAST = 0.5;

export async function wide({ open, report }) {
  const { page } = await openAccount((options) => open({ ...options, viewport: SCREEN }), 1);
  const items = async (path, list) =>
    page.evaluate(
      async ([api, name]) => (await (await fetch(api)).json())[name][0]?.id,
      [path, list],
    );
  const task = await items('/api/v1/tasks?limit=1', 'tasks');
  const agent = await items('/api/v1/agents?limit=1', 'agents');
  const paths = [
    ...PAGES.map((path) => `/app${path}`),
    `/app/work/${task}`,
    `/app/agents/${agent}`,
    '/app/try?operation=tasks.publish',
    '/app/no-such-page',
    '/docs#tasks.publish',
    '/errors',
    '/errors/busy',
    '/keys',
  ];
  const faults = [];
  let longest = 0;
  for (const path of paths) {
    await page.goto(path);
    await settled(page);
    const { wider, share, letters, stretched, primary } = await page.evaluate(measure);
    longest = Math.max(longest, letters);
    if (wider > 0) faults.push(`${path} is ${wider} px wider than the screen`);
    if (share < SHARE_LEAST) faults.push(`${path} uses ${share.toFixed(2)} of the width`);
    if (letters > LETTERS_MAX) faults.push(`${path} has a line of ${letters} letters`);
    if (primary > 1) faults.push(`${path} has ${primary} primary buttons`);
    for (const each of stretched) faults.push(`${path} stretches ${each}`);
    await picture(page, `-wide${path.replaceAll(/[/#]/g, '-')}`);
  }
  assert.deepEqual(faults, []);
  report(`${paths.length} pages at 3840 x 2160: no overflow, at most ${longest} letters in a line`);
}

/** Runs in the page. */
function measure() {
  const root = document.documentElement;
  const em = parseFloat(getComputedStyle(root).fontSize);
  const main = document.querySelector('main').getBoundingClientRect();
  let letters = 0;
  for (const each of document.querySelectorAll('main p, main dd, main li')) {
    const texts = [...each.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    for (const text of texts) {
      if (text.data.trim().length < 60) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      if (lines > 1) letters = Math.max(letters, Math.round(text.data.length / lines));
      else letters = Math.max(letters, text.data.length);
    }
  }
  // A plot is as wide as its card; a button or a badge is as wide as its words.
  const stretched = [...document.querySelectorAll('main button, main .badge, main .meter svg')]
    .filter((each) => each.getBoundingClientRect().width > 30 * em)
    .map((each) => `${each.tagName} ${each.textContent.slice(0, 30)}`);
  return {
    wider: root.scrollWidth - root.clientWidth,
    share: main.width / root.clientWidth,
    letters,
    stretched,
    primary: document.querySelectorAll('main .main').length,
  };
}
