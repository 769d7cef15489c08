import { accountTab, looksRight, openAccount, sure } from './people.mjs';

/** The steps of a person with a server: add a webhook, test it, read its deliveries, end it. */
export async function webhooks({ open, world, report }) {
  const { page } = await openAccount(open, 1);
  await accountTab(page, 'Webhooks');
  await page.getByText('You have no webhook.').waitFor();
  await looksRight(page);
  await page.getByLabel('Address').fill(world.verdicts);
  await page.getByLabel('Kinds of events').fill('money.in');
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  await page.getByText('The secret is shown this once.').waitFor();
  report('a webhook shows its secret once');
  await page.getByRole('list', { name: 'Your webhooks' }).locator('summary').first().click();
  await page.getByRole('button', { name: 'Send a test message' }).click();
  await page.getByText(/^It answered 200 after/).waitFor();
  await sure(page, 'Send again from the oldest event', 'Yes, send them again');
  const deliveries = page.getByRole('list', { name: 'Deliveries' });
  await deliveries.getByText('money.in', { exact: true }).waitFor();
  await deliveries.locator('summary').first().click();
  await deliveries.getByRole('button', { name: 'Send this message again' }).first().waitFor();
  await looksRight(page);
  report('a test and the events behind a place are sent, and each delivery can be read');
  await sure(page, 'Replace the keys', 'Yes, make new keys');
  await page.getByText('Former public key, until').first().waitFor();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByText('paused', { exact: true }).waitFor();
  await sure(page, 'Delete', 'Yes, delete it');
  await page.getByText('You have no webhook.').waitFor();
  report('keys are replaced, and a webhook is paused and deleted');
}
