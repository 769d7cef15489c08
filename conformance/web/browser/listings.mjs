import assert from 'node:assert/strict';
import { goTo, looksRight, openAccount } from './people.mjs';

/** A person with listings: submit an address, compare two, call a priced tool, claim one. */
const VISITED_MS_MAX = 60_000;
const TWIN = 'feedfeedfeedfeed';
const PRICE = { amount: '1500', asset: 'USDC', network: 'sandbox' };

export async function listings({ open, world, report }) {
  const { page } = await openAccount(open, 1);
  await submits(page, world, report);
  await compares(page, report);
  await callsPriced(page, report);
  await claims(page, report);
}

/** An empty index explains itself; an address at which nothing answers gets its reason. */
async function submits(page, world, report) {
  await page.route('**/api/v1/agents?*', answerWith({ agents: [] }));
  await goTo(page, 'Agents');
  await page.getByText('The index is empty.').waitFor();
  await page.getByRole('heading', { name: 'Add an agent or an MCP server' }).waitFor();
  await page.getByLabel('Address').fill(`http://127.0.0.1:${world.strangersPort}`);
  await page.getByLabel('It speaks').selectOption({ label: 'MCP' });
  await page.getByRole('button', { name: 'Submit it' }).click();
  await page.getByText('not listed', { exact: true }).waitFor({ timeout: VISITED_MS_MAX });
  await page.getByText('What the crawler asked').click();
  await page.getByText('not reachable').first().waitFor();
  await looksRight(page);
  await page.unroute('**/api/v1/agents?*');
  report('an empty index says how it fills, and a submitted address gets its reason');
}

/** The hub has one agent, so its answers are given a second one of the same form. */
async function compares(page, report) {
  await page.route('**/api/v1/agents?*', async (route) => {
    const body = await (await route.fetch()).json();
    const [one] = body.agents;
    const agents = [one, { ...one, id: TWIN, name: 'Twin' }];
    await route.fulfill({ json: { ...body, agents } });
  });
  await page.goto('/app/agents');
  const [original] = await agentsOf(page);
  await page.route(`**/api/v1/agents/${TWIN}**`, async (route) => {
    const url = route.request().url().replace(TWIN, original.id);
    const body = await (await route.fetch({ url })).json();
    await route.fulfill({ json: { ...body, id: TWIN, name: 'Twin' } });
  });
  await page
    .getByRole('button', { name: /^Compare / })
    .first()
    .click();
  await page.getByText('Choose a second agent').waitFor();
  await page.getByRole('button', { name: 'Compare Twin' }).click();
  const table = page.getByRole('region', { name: 'Two agents beside each other' });
  await table.getByRole('row', { name: /^Answers in/ }).waitFor();
  assert.equal(await table.getByRole('columnheader').count(), 2);
  await looksRight(page);
  await page.reload();
  await table.getByRole('row', { name: /^Tools/ }).waitFor();
  await page.getByRole('button', { name: 'Close the comparison' }).click();
  await table.waitFor({ state: 'detached' });
  await page.unrouteAll({ behavior: 'wait' });
  report('two agents are compared side by side, and the address keeps the comparison');
}

/** The reference server asks for no money, so its listing is given a price. */
async function callsPriced(page, report) {
  const [{ id }] = await agentsOf(page);
  await page.route(`**/api/v1/agents/${id}`, async (route) => {
    const listing = await (await route.fetch()).json();
    const skills = listing.skills.map((skill) =>
      skill.id === 'echo' ? { ...skill, price: PRICE } : skill,
    );
    await route.fulfill({ json: { ...listing, skills, refunds: 'acceptance' } });
  });
  await page.goto(`/app/agents/${id}`);
  await page.getByText('or your own rule, costs nothing').waitFor();
  await page.getByLabel('Tool to call').selectOption('echo');
  await page.getByText('One call costs 0.0015 test USDC, paid only if it answers.').waitFor();
  await page.getByLabel('Arguments').fill('{"message":"seven"}');
  await page.getByRole('button', { name: 'Call it for 0.0015 test USDC' }).click();
  await page.getByText('0.0015 test USDC are held now').waitFor();
  await looksRight(page);
  const sent = page.waitForRequest('**/api/v1/call');
  await page.getByRole('button', { name: 'Yes, call it' }).click();
  const { maxPrice, network } = (await sent).postDataJSON();
  assert.deepEqual({ maxPrice, network }, { maxPrice: PRICE.amount, network: PRICE.network });
  await page.getByText('served', { exact: true }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  report(
    'a priced tool shows its price and its refunds, asks a second time, and is never paid more',
  );
}

async function claims(page, report) {
  await page.getByText('Claim this listing').click();
  await page.getByText('A document on the site').click();
  await page.getByText('/.well-known/').first().waitFor();
  await page.getByRole('button', { name: 'Check the domain' }).click();
  await page.getByText('does not name your key yet').waitFor({ timeout: VISITED_MS_MAX });
  await looksRight(page);
  report('a listing is claimed step by step, and a missing proof is named');
}

const answerWith = (over) => async (route) => {
  const body = await (await route.fetch()).json();
  await route.fulfill({ json: { ...body, ...over, next: undefined, hasMore: false } });
};

async function agentsOf(page) {
  const { agents } = await page.evaluate(async () => (await fetch('/api/v1/agents')).json());
  return agents;
}
