import assert from 'node:assert/strict';
import type { ComponentType } from 'preact';
import { generateKey, type GeneratedKey } from '../../typescript/sign.ts';
import { inDocument } from '../fixture/dom.ts';
import { draw, lossyHub, until, type LossyHub, type Page } from '../fixture/forms.ts';

const ID = '01a20595-f4f9-70ff-90fe-0d18094d68eb';
const BUDGET = [
  ['Budget of one call, in USDC', '0.01'],
  ['Budget of an hour, in USDC', '0.1'],
  ['Budget of a day, in USDC', '1'],
  ['Budget of a month, in USDC', '1,000.5'],
  ['Models that it may ask', 'hub/echo, small'],
] as const;
const POLICY = {
  perCall: '10000',
  perHour: '100000',
  perDay: '1000000',
  perMonth: '1000500000',
  models: ['hub/echo', 'small'],
};

describe('the form of API keys', () => {
  let key: GeneratedKey;
  let page: Page;
  let hub: LossyHub;

  inDocument();
  before(async () => {
    key = await generateKey();
  });
  afterEach(() => page.close());

  async function open(keys: readonly object[]): Promise<void> {
    const { ApiKeys } = await import('./apiKeys.tsx');
    const { keysOfAccount } = await import('../unanswered.ts');
    localStorage.clear();
    sessionStorage.clear();
    hub = lossyHub(key, () => ({ keys, key: 'hub_secret', id: ID }));
    const props = { hub: hub.open(keysOfAccount), account: key.account, own: key.account };
    page = draw(ApiKeys as ComponentType<never>, props);
  }
  const kept = (policy?: object): object => ({
    id: ID,
    hint: 'hub_abc',
    label: 'bot',
    createdAt: '2026-11-30T00:00:00Z',
    revoked: false,
    ...(policy && { policy }),
  });
  const bodyOf = async (): Promise<object> => {
    await until('a call', () => hub.sent.length === 1);
    const { idempotencyKey: _, ...body } = hub.sent[0]?.body ?? {};
    return body;
  };

  it('sets each limit of the budget when a key is made', async () => {
    await open([]);
    await page.fill('Name of the key', 'bot');
    for (const [label, text] of BUDGET) await page.fill(label, text);
    await page.press('Make a key');
    assert.deepEqual(await bodyOf(), { label: 'bot', policy: POLICY });
  });

  it('sends no budget where none is typed, and nothing that is no amount', async () => {
    await open([]);
    await page.fill('Budget of a day, in USDC', '1e3');
    await assert.rejects(page.press('Make a key'), /a button “Make a key”/);
    await page.fill('Budget of a day, in USDC', '');
    await page.press('Make a key');
    assert.deepEqual(await bodyOf(), {});
  });

  it('shows the budget of a key, and changes one limit with the others as they were', async () => {
    const expiresAt = '2027-01-01T00:00:00.000Z';
    await open([kept({ ...POLICY, expiresAt })]);
    await page.sees(
      'at most 0.01 USDC for one call; 0.10 USDC an hour; 1.00 USDC a day; ' +
        '1,000.50 USDC a month; models: hub/echo, small',
    );
    await page.fill('Budget of a day, in USDC', '2');
    await page.press('Save the budget');
    assert.deepEqual(await bodyOf(), { ...POLICY, perDay: '2000000', expiresAt });
    const path = decodeURIComponent(hub.sent[0]?.path ?? '');
    assert.equal(path, `/api/v1/wallet/${key.account}/keys/${ID}/policy`);
  });

  it('lifts the budget when every field is emptied', async () => {
    await open([kept({ perDay: '1000000' })]);
    await page.sees('1.00 USDC a day');
    await page.fill('Budget of a day, in USDC', '');
    await page.press('Save the budget');
    assert.deepEqual(await bodyOf(), { lifted: true });
    page.close();
    await open([kept()]);
    await page.sees('No limit but your balance.');
  });
});
