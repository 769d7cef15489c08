import assert from 'node:assert/strict';
import type { ComponentType } from 'preact';
import { generateKey } from '../../typescript/sign.ts';
import { linkedBody } from '../contract/link.ts';
import { inDocument } from '../fixture/dom.ts';
import { draw, lossyHub } from '../fixture/forms.ts';
import { routeOf } from '../routes.ts';

const ID = '01a20595-f4f9-70ff-90fe-0d18094d68eb';

describe('the form of a tool', () => {
  inDocument();

  it('leads to the same call in code, filled, with the account of who opens it', async () => {
    const { Call } = await import('./tryTool.tsx');
    const { keysOfAccount } = await import('../unanswered.ts');
    const key = await generateKey();
    const price = { asset: 'USDC', amount: '20000', network: 'sandbox' };
    const tools = [{ id: 'translate', name: 'translate', description: 'It translates.', price }];
    const hub = lossyHub(key, () => ({})).open(keysOfAccount);
    const page = draw(Call as ComponentType<never>, { id: ID, tools, hub, own: key.account });
    await page.fill('Arguments', '{"text":"sea"}');
    const [path = '', query] = (page.links().at(-1) ?? '').split('?');
    const route = routeOf(path, `?${query}`);
    assert.ok(route.page === 'tryCall');
    assert.equal(route.query['operation'], 'router.call');
    assert.deepEqual(JSON.parse(linkedBody(route.query, 'body.caller', 'key:other') ?? ''), {
      caller: 'key:other',
      agentId: ID,
      operation: 'translate',
      arguments: { text: 'sea' },
      maxPrice: '20000',
      network: 'sandbox',
    });
    await page.fill('Arguments', 'no JSON');
    assert.deepEqual(page.links(), []);
    page.close();
  });
});
