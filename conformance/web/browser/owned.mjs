import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createHub, generateKey, unwrap } from '../../../clients/typescript/index.ts';
import { accountTab, bringKey, goTo, looksRight, money } from './people.mjs';

/** An agent's own work under its key: notes and files are read, and its domain is proved. */
const NOTE = 'The tide turns at seven.';
const FILE = 'reports/tide.txt';

export async function owned({ open, world, url, report }) {
  const key = await generateKey();
  const hub = createHub({ baseUrl: url, key });
  await stores(hub);
  const page = await open();
  await page.goto('/app');
  await page.getByRole('link', { name: 'Open an account' }).click();
  await bringKey(page, key);
  await money(page).waitFor();
  report('from the first page to an account with the key of an agent');
  await accountTab(page, 'Storage');
  await page.getByRole('link', { name: 'sea', exact: true }).click();
  await page.getByText(NOTE).waitFor();
  await page.getByRole('button', { name: `Show ${FILE}` }).click();
  await page.getByLabel(`Content of ${FILE}`).getByText('high water').waitFor();
  await looksRight(page);
  await goTo(page, 'Account');
  await accountTab(page, 'Listings');
  report('its notes and a file of its own are read on the page');
  await seesCalls(page, { hub, key, world, url });
  report('calls of its agent under this hub are seen with what they earned, each with its receipt');
  await provesDomain(page, key.keyId, world.strangersPort);
  report('a domain is not proved until it names the key, and is when it does');
}

const PRICE = '20000';

/** Its agent is listed under the hub; a visitor calls it, and an account that pays. */
async function seesCalls(page, { hub, key, world, url }) {
  const { id } = unwrap(
    await hub.POST('/api/v1/hosted', {
      body: {
        owner: hub.account,
        keyId: key.keyId,
        endpoint: world.agent,
        name: 'Tide tables',
        tools: [
          { name: 'echo', description: 'Says it again.' },
          { name: 'get-sum', description: 'Adds two numbers.', priceAtomic: PRICE },
        ],
      },
    }),
  );
  const visitor = createHub({ baseUrl: url });
  const params = { path: { keyId: key.keyId } };
  const free = { tool: 'echo', arguments: { message: 'low water' } };
  unwrap(await visitor.POST('/api/v1/hosted/{keyId}/call', { params, body: free }));
  const buyer = createHub({ baseUrl: url, key: await generateKey() });
  const path = { owner: buyer.account };
  unwrap(
    await buyer.POST('/api/v1/wallet/{owner}/credit', {
      params: { path },
      body: { amount: '100000' },
    }),
  );
  const bought = unwrap(
    await buyer.POST('/api/v1/call', {
      body: {
        caller: buyer.account,
        agentId: id,
        operation: 'get-sum',
        arguments: { a: 3, b: 4 },
        maxPrice: PRICE,
      },
    }),
  );
  assert.equal(bought.receipt.outcome, 'served');
  await page.reload();
  const calls = page.getByRole('list', { name: 'Its calls' });
  await calls.getByText('get-sum').first().click();
  await calls.getByTitle(bought.receipt.id, { exact: true }).waitFor();
  await calls.getByText('You were paid').first().waitFor();
  await calls.getByText('echo', { exact: true }).first().click();
  await calls.getByText('a visitor without an account').waitFor();
  const earned = page.getByRole('definition').filter({ hasText: '0.02 test USDC' });
  await earned.first().waitFor();
  await page.getByText('calls get through').waitFor();
  await looksRight(page);
}

async function stores(hub) {
  const { account } = hub;
  const path = { owner: account };
  unwrap(
    await hub.POST('/api/v1/wallet/{owner}/credit', {
      params: { path },
      body: { amount: '1000000' },
    }),
  );
  const { id } = unwrap(
    await hub.POST('/api/v1/memory/spaces', { body: { owner: account, name: 'sea' } }),
  );
  const note = { author: account, spaceId: id, key: 'tide', content: NOTE };
  unwrap(await hub.POST('/api/v1/memory', { body: note }));
  const contentBase64 = Buffer.from('high water').toString('base64');
  unwrap(await hub.POST('/api/v1/files', { body: { owner: account, key: FILE, contentBase64 } }));
}

async function provesDomain(page, keyId, port) {
  let named = 'another';
  const domain = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ key: named }));
  });
  domain.listen(port, '127.0.0.1');
  await once(domain, 'listening');
  try {
    const origin = `http://127.0.0.1:${port}`;
    await page.getByRole('button', { name: 'Open the passport of this key' }).click();
    await page.getByLabel('A domain of yours').fill(origin);
    const prove = page.getByRole('button', { name: 'Prove it now' });
    await prove.click();
    await page.getByText(`${origin} does not name your key.`).waitFor();
    named = keyId;
    await prove.click();
    await page.getByText(`${origin} is proved.`).waitFor();
    await page.getByRole('button', { name: 'Take over the listings there' }).click();
    await page.getByText('0 listings taken over.').waitFor();
    await looksRight(page);
  } finally {
    await new Promise((resolve) => domain.close(resolve));
  }
  assert.equal(await page.getByRole('alert').count(), 0);
}
