import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settled } from './browser.mjs';
import { openAccount } from './people.mjs';

/**
 * Pages that people print: a statement, a receipt, a task, the contract. Navigation and forms are
 * away, nothing is cut off or hidden in a box, and times and names are exact; each becomes a PDF.
 */
const PAPER = { width: 718, height: 1000 };

export async function print({ open, report }) {
  const { page } = await openAccount(
    (options) => open({ ...options, colorScheme: 'dark', viewport: PAPER }),
    1,
  );
  const { tasks } = await page.evaluate(async () =>
    (await fetch('/api/v1/tasks?limit=200')).json(),
  );
  const starter = tasks.find(({ reward }) => reward?.amount === '50000');
  await page.goto('/app/models');
  await page.getByLabel('Your message').fill('Name the sea.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText(/test USDC to the model desk for/).waitFor();
  const sizes = [await onPaper(page, 'receipt', ['Charged', 'Returned'])];
  await page.goto('/app/account/money');
  await page.getByText('Call of a model').first().waitFor();
  sizes.push(await onPaper(page, 'statement', ['Statement', 'Call of a model']));
  await page.goto(`/app/work/${starter.id}`);
  sizes.push(await onPaper(page, 'task', [starter.title, '0.05']));
  await page.goto('/docs#tasks.publish');
  await page.locator('details.entry[open]').getByText('Call it', { exact: true }).waitFor();
  sizes.push(await onPaper(page, 'contract', ['The contract', 'Publish a task']));
  await page.goto('/docs');
  report(`on paper: ${sizes.join(', ')}`);
}

async function onPaper(page, name, texts) {
  await settled(page);
  await page.emulateMedia({ media: 'print' });
  const found = await page.evaluate(measure);
  const shown = await page.locator('main').innerText();
  for (const text of texts) assert.ok(shown.includes(text), `${name} has ${text}`);
  assert.deepEqual(found, { pressed: [], boxes: [], wider: 0, vague: [], isLight: true }, name);
  const folder = process.env.WEB_PICTURES;
  const pdf = await page.pdf({
    format: 'A4',
    margin: { top: '1cm', bottom: '1cm', left: '1cm', right: '1cm' },
  });
  if (folder !== undefined) {
    await page.screenshot({ path: join(folder, `print-${name}.png`) });
    writeFileSync(join(folder, `print-${name}.pdf`), pdf);
  }
  await page.emulateMedia({ media: null });
  const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  assert.ok(sheets > 0, `${name} is on ${sheets} sheets`);
  return `${name} ${sheets} ${sheets === 1 ? 'sheet' : 'sheets'}`;
}

/** Runs in the page. */
function measure() {
  const isShown = (each) => each.checkVisibility() && each.getBoundingClientRect().height > 0;
  const all = (what) => [...document.querySelectorAll(what)].filter(isShown);
  const root = document.documentElement;
  const [red] = getComputedStyle(root).backgroundColor.match(/\d+/g).map(Number);
  return {
    pressed: all('button, input, select, textarea, nav, footer').map(({ outerHTML }) =>
      outerHTML.slice(0, 80),
    ),
    boxes: all('main pre, main .scroll, main .long')
      .filter(
        (each) =>
          each.scrollHeight > each.clientHeight + 2 || each.scrollWidth > each.clientWidth + 2,
      )
      .filter((each) => getComputedStyle(each).overflow !== 'visible')
      .map(({ outerHTML }) => outerHTML.slice(0, 80)),
    wider: Math.max(0, root.scrollWidth - root.clientWidth),
    // "3 minutes ago" says nothing on paper.
    vague: all('main time')
      .filter((each) => getComputedStyle(each, '::after').content === 'none')
      .map(({ textContent }) => textContent),
    isLight: red > 200 || getComputedStyle(root).backgroundColor === 'rgba(0, 0, 0, 0)',
  };
}
