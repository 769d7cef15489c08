import { looksRight, money, openAccount, sure } from './people.mjs';

/** A task that goes to one of two plans: offered, read, chosen, claimed, delivered and paid. */
const TITLE = 'A walk along the coast';
const CHEAPER = 'I walked it last week and write down the way.';

export async function plans({ open, report }) {
  const [requester, one, two] = await Promise.all([
    openAccount(open, 1),
    openAccount(open),
    openAccount(open),
  ]);
  const path = await publishes(requester.page);
  await offers(two.page, path, 'I look at a map.', '');
  await offers(one.page, path, CHEAPER, '0.04');
  await requester.page.getByText(CHEAPER).waitFor();
  await looksRight(requester.page);
  report('a task asks for plans, and two are offered');
  await chooses(requester.page);
  await two.page.getByText('another was chosen').waitFor();
  await two.page.getByText('There is nothing for you to do here now.').waitFor();
  await looksRight(two.page);
  report('the requester reads both and chooses the one that asks less');
  await one.page.getByText('Your plan was chosen.').waitFor();
  await one.page.getByRole('button', { name: 'Claim this task' }).click();
  await one.page.getByRole('textbox', { name: 'Result', exact: true }).fill('By the cliffs.');
  await one.page.getByRole('button', { name: 'Deliver', exact: true }).click();
  await one.page.getByText('Delivered.').waitFor();
  await sure(requester.page, 'Accept and pay', 'Yes, pay');
  await requester.page.getByText('Reward for work').waitFor();
  await requester.page.goto('/app/account');
  await money(requester.page).getByText('0.96').first().waitFor();
  report('its author alone may claim, is paid its price, and the rest of the reward is back');
}

async function publishes(page) {
  await page.goto('/app/publish');
  await page.getByLabel('Title').fill(TITLE);
  await page.getByLabel('Reward in USDC').fill('0.05');
  await page.getByLabel('Who may work').selectOption({ label: 'one worker, chosen by a plan' });
  await sure(page, 'Publish', 'Yes, publish');
  await page.getByRole('heading', { name: TITLE, level: 1 }).waitFor();
  await page.getByText('No plan has been offered yet.').waitFor();
  return new URL(page.url()).pathname;
}

async function offers(page, path, plan, price) {
  await page.goto(path);
  await page.getByLabel('Your plan').fill(plan);
  if (price !== '') {
    await page.getByLabel('Your price in USDC').fill('0.06');
    await page.reload();
    await page.getByLabel('Your price in USDC').fill(price);
  }
  await page.getByRole('button', { name: 'Offer this plan' }).click();
  await page.getByText(plan, { exact: true }).first().waitFor();
}

async function chooses(page) {
  const plan = page.getByRole('listitem').filter({ hasText: CHEAPER });
  await plan.getByRole('button', { name: 'Choose this plan' }).click();
  await plan.getByText('at 0.04 test USDC').waitFor();
  await plan.getByRole('button', { name: 'Yes, choose it' }).click();
  await plan.getByText('chosen', { exact: true }).waitFor();
}
