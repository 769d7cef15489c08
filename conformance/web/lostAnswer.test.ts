import assert from 'node:assert/strict';
import { createHub } from '../../clients/typescript/hub.ts';
import { generateKey, type GeneratedKey } from '../../clients/typescript/sign.ts';
import { openDocument } from '../../clients/web/fixture/dom.ts';
import { draw, until, type Page } from '../../clients/web/fixture/forms.ts';
import { realClock } from '../harness/clock.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';

const START = '1000000';

/** The forms of the pages on a hub that acts and whose answer is then lost on the way. */
describe('a form whose answer is lost after the hub acted', () => {
  let world: Fixture;
  let close: () => void;
  let key: GeneratedKey;
  let isCut = false;
  let page: Page;

  before(async () => {
    world = await openFixture({ clock: realClock() });
    close = openDocument();
  });
  beforeEach(async () => {
    localStorage.clear();
    sessionStorage.clear();
    key = await generateKey();
    await world.hub.fund(key.account, START);
    isCut = false;
  });
  afterEach(() => page.close());
  after(async () => {
    close();
    await world.close();
  });

  const open = async (component: object, props: object): Promise<void> => {
    const { keysOfAccount } = await import('../../clients/web/unanswered.ts');
    const hub = createHub({
      baseUrl: world.hub.url,
      key,
      retry: { baseDelayMs: 1 },
      keepKeys: keysOfAccount(key.account),
      fetch: async (request, init) => {
        const response = await fetch(request, init);
        if (isCut && request.method === 'POST') throw new TypeError('the answer was cut');
        return response;
      },
    });
    const wallet = { network: 'sandbox', spendable: START };
    const changed = (): void => {};
    const { account } = key;
    page = draw(component as never, { hub, account, own: account, wallet, changed, ...props });
  };
  const finish = async (what: string): Promise<void> => {
    await page.sees(`Finish ${what}`);
    isCut = false;
    await page.press(`Finish ${what}`);
    await until('a form', () => !page.text().includes(`Finish ${what}`));
  };

  it('pays once', async () => {
    await open((await import('../../clients/web/account/pay.tsx')).Pay, {});
    await page.fill('To', world.bob.account);
    await page.fill('Amount in USDC', '0.02');
    await page.press('Pay');
    isCut = true;
    await page.press('Yes, pay');
    await finish('the payment of 0.02');
    await page.sees('Paid 0.02');
    const { entries } = mustOk(
      await world.bob.get(`/api/v1/wallet/${world.bob.account}/statement`),
    );
    assert.equal((entries as unknown[]).length, 1);
  });

  it('publishes once, although the deadline is another one at the second press', async () => {
    await open((await import('../../clients/web/pages/publish.tsx')).Writing, {});
    await page.fill('Title', 'Name the sea');
    await page.fill('Reward in USDC', '0.02');
    await page.press('Publish');
    isCut = true;
    await page.press('Yes, publish');
    await finish('the task “Name the sea”');
    const { tasks } = mustOk(await world.anyone.get(`/api/v1/tasks?requester=${key.account}`));
    assert.equal((tasks as unknown[]).length, 1);
  });

  it('makes one API key, and its secret is in the answer of the second press', async () => {
    await open((await import('../../clients/web/account/apiKeys.tsx')).ApiKeys, {});
    await page.fill('Name of the key', 'bot');
    isCut = true;
    await page.press('Make a key');
    await finish('the API key “bot”');
    await until('the key', () => /hub_[\w-]{43}/.test(page.text()));
    await until('one key', () => page.buttons().filter((each) => /bot/.test(each)).length === 1);
  });

  it('opens one poker table', async () => {
    await open((await import('../../clients/web/games/newTable.tsx')).NewTable, {});
    await page.fill('Name', 'Thetis');
    isCut = true;
    await page.press('Open this table');
    await finish('the table “Thetis”');
    const { tables } = mustOk(await world.anyone.get('/api/v1/games/poker/tables'));
    assert.equal((tables as unknown[]).length, 1);
  });
});
