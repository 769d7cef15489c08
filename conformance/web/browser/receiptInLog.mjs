import { createHub, generateKey, unwrap } from '../../../clients/typescript/index.ts';
import { looksRight } from './people.mjs';

/** A receipt of a call is found in the transparency log in the browser, and a changed one is not. */
const IN_LOG_MS_MAX = 60_000;
const AGAIN_MS = 1_000;

export async function receiptInLog({ open, url, faults, report }) {
  const key = await generateKey();
  const hub = createHub({ baseUrl: url, key });
  const body = { caller: key.account, operation: 'echo', arguments: { message: 'seven' } };
  const { receipt } = unwrap(await hub.POST('/api/v1/call', { body }));
  const page = await open();
  await page.goto('/app/trust');
  await page.getByText('Checkpoint verified in this browser').waitFor();
  await lookUp(page, 'no receipt');
  await page.getByText('This is no JSON.').waitFor();
  await lookUp(page, '{}');
  await page.getByText('There is no final receipt in it.').waitFor();
  const deadline = Date.now() + IN_LOG_MS_MAX;
  while (!(await isFound(page, receipt))) {
    if (Date.now() > deadline) throw new Error('the receipt did not enter the log');
    await page.waitForTimeout(AGAIN_MS);
  }
  await looksRight(page);
  report('the receipt of a call is a leaf of the log, by a proof that the browser verifies');
  if (await isFound(page, { ...receipt, operation: 'other' })) {
    throw new Error('a changed receipt was found in the log');
  }
  await looksRight(page);
  // The console reports the 404 by which the hub answers for each digest that is not in the log.
  const others = faults.filter((fault) => !fault.includes('status of 404'));
  faults.splice(0, faults.length, ...others);
  report('a receipt that was changed is not in it');
}

async function isFound(page, receipt) {
  await lookUp(page, JSON.stringify(receipt));
  const found = page.getByText(/^in the log as leaf/);
  await found
    .or(page.getByText('not in the log', { exact: true }))
    .first()
    .waitFor();
  return (await found.count()) > 0;
}

async function lookUp(page, text) {
  await page.getByLabel('Paste a receipt, a statement or a dispute').fill(text);
  await page.getByRole('button', { name: 'Look it up' }).click();
}
