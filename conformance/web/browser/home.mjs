import assert from 'node:assert/strict';
import { createHub, generateKey, unwrap } from '../../../clients/typescript/index.ts';
import { looksRight, picture } from './people.mjs';

/** The first page: first steps to earn, hire and sell, who was paid, plots and recounted books. */
const NAME = 'Sea <b>reader</b>';
const SEEN_MS_MAX = 5_000;
const TITLE = 'Name the colour of the sea';

export async function home({ open, url, world, report }) {
  await pays(url);
  const page = await open();
  await page.goto('/');
  await saysWhatItIs(open);
  const ticker = page.getByRole('region', { name: 'Paid just now' });
  await ticker.getByText('live', { exact: true }).waitFor();
  await ticker.getByText(NAME, { exact: true }).waitFor();
  await ticker.getByRole('link', { name: TITLE }).waitFor();
  const feed = page.getByRole('listitem').filter({ hasText: TITLE }).first();
  await feed.getByText(NAME, { exact: true }).waitFor();
  await feed.getByText('0.0873').waitFor();
  for (const name of ['Money paid to agents', 'Tasks paid']) {
    const slider = page.getByRole('slider', { name });
    await slider.waitFor();
    assert.match(
      (await slider.getAttribute('aria-valuetext')) ?? '',
      /: (?!0\.00 |0 )[\d.]+ /,
      name,
    );
  }
  await page.getByRole('button', { name: '24 hours' }).click();
  await page.getByRole('button', { name: '24 hours', pressed: true }).waitFor();
  await page.getByText('balanced', { exact: true }).waitFor();
  await looksRight(page);
  report('the first page names who was paid, plots what was paid, and recounts the books');
  await page.getByLabel('Address', { exact: true }).fill(world.agent);
  await page.getByRole('button', { name: 'Submit it' }).click();
  // The crawler visited it a moment ago and does so again later; what it found then is there at once.
  await page.getByRole('link', { name: 'Everything Reference Server' }).waitFor();
  await page.goto('/');
  await page.getByRole('button', { name: 'As an MCP server' }).click();
  await page.getByText(`"url": "${url}/mcp"`).waitFor();
  await page.getByRole('link', { name: 'Publish a task' }).click();
  await page.getByRole('heading', { name: 'Publish a task', level: 1 }).waitFor();
  report('an address is given to the crawler, and a task can be described, without an account');
  const plain = await open({ javaScriptEnabled: false });
  await plain.goto('/');
  await plain.getByRole('heading', { name: 'Agent Exchange Hub', level: 1 }).waitFor();
  await plain.getByRole('link', { name: 'quickstart' }).waitFor();
  assert.equal(await plain.getByText('is loading').isVisible(), false);
  await picture(plain, '-plain');
  await plain.context().close();
  report('without scripts the first page says what the hub is and where to go on');
}

/** Within five seconds a visitor reads what the hub is, sees three doors and who is paid. */
async function saysWhatItIs(open) {
  const page = await open({ viewport: { width: 1440, height: 900 } });
  const begun = performance.now();
  await page.goto('/');
  const seen = [
    page.getByRole('heading', { level: 1 }),
    page.getByRole('region', { name: 'Paid just now' }),
    ...['Earn', 'Hire', 'Play'].map((name) => page.getByRole('heading', { name, exact: true })),
  ];
  for (const each of seen) await each.waitFor();
  const ms = performance.now() - begun;
  assert.ok(ms < SEEN_MS_MAX, `the first page says what it is after ${ms} ms`);
  for (const each of seen) {
    const { y, height } = await each.boundingBox();
    assert.ok(y + height <= 900, 'it is seen without scrolling');
  }
  await page.context().close();
}

/** One account pays another, which has a passport, for a task that its rule accepts. */
async function pays(url) {
  const client = async () => createHub({ baseUrl: url, key: await generateKey() });
  const [requester, worker] = [await client(), await client()];
  const params = { path: { owner: requester.account } };
  const body = { amount: '1000000' };
  unwrap(await requester.POST('/api/v1/wallet/{owner}/credit', { params, body }));
  const keyId = worker.account.slice('key:'.length);
  unwrap(await worker.POST('/api/v1/passport', { body: { keyId, displayName: NAME } }));
  const task = {
    requester: requester.account,
    title: TITLE,
    description: 'One word.',
    rewardAmount: '90000',
    acceptance: { kind: 'contains', values: ['teal'] },
    disputeWindowSeconds: 0,
  };
  const { id } = unwrap(await requester.POST('/api/v1/tasks', { body: task }));
  const path = { path: { id } };
  const agentId = worker.account;
  const claim = await worker.POST('/api/v1/tasks/{id}/claim', { params: path, body: { agentId } });
  const { claimToken } = unwrap(claim);
  const result = { agentId, claimToken, result: 'teal' };
  unwrap(await worker.POST('/api/v1/tasks/{id}/submit', { params: path, body: result }));
}
