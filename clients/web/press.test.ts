import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ComponentType } from 'preact';
import { operationTable } from '../../generated/operations.ts';
import { generateKey, type GeneratedKey } from '../typescript/sign.ts';
import { openDocument } from './fixture/dom.ts';
import { draw, lossyHub, until, type Answers, type LossyHub, type Page } from './fixture/forms.ts';
import type { TestForm } from './fixture/formTable.ts';
import { moneyForms } from './fixture/moneyForms.ts';
import { workForms } from './fixture/workForms.ts';
import { headerForms } from './fixture/headerForms.ts';

type Unanswered = Awaited<ReturnType<typeof loadUnanswered>>;
const loadUnanswered = () => import('./unanswered.ts');
const onceForms = [...moneyForms, ...workForms, ...headerForms];

/** Each form is pressed, its answer is lost after the hub took the call, and it is finished. */
describe('a press without an answer', () => {
  let key: GeneratedKey;
  let close: () => void;
  let unanswered: Unanswered;
  const realFetch = globalThis.fetch;
  const pages: Page[] = [];

  before(async () => {
    key = await generateKey();
    close = openDocument();
    unanswered = await loadUnanswered();
  });
  beforeEach(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  afterEach(() => {
    for (const page of pages.splice(0)) page.close();
    globalThis.fetch = realFetch;
  });
  after(() => close());

  const hubOf = (answers: Answers): LossyHub => {
    const lossy = lossyHub(key, answers);
    globalThis.fetch = (input, init) => lossy.fetch(new Request(input, init));
    return lossy;
  };
  const open = async (form: TestForm, lossy: LossyHub): Promise<Page> => {
    const { component, props } = await form.load();
    const hub = lossy.open(unanswered.keysOfAccount);
    const own = { hub, account: key.account, own: key.account };
    const page = draw(component as ComponentType<never>, { ...own, ...props(key.account) });
    pages.push(page);
    return page;
  };
  const start = async (form: TestForm, page: Page): Promise<void> => {
    if (form.file !== undefined) await page.drop(form.file);
    for (const [label, text] of form.fill ?? []) await page.fill(label, text);
    for (const label of form.presses.slice(0, -1)) await page.press(label);
    await page.pressTwice(form.presses.at(-1) ?? '');
  };

  for (const form of onceForms) {
    it(`is finished for ${form.name} with the same key, also in another tab`, async () => {
      const lossy = hubOf((path) => form.answers?.(path) ?? {});
      const page = await open(form, lossy);
      lossy.mode = 'lose';
      await start(form, page);
      await page.sees(`Finish ${form.what}`);
      assert.equal(lossy.sent.length, 1, 'a double press is one call');
      const first = lossy.sent[0];
      assert.match(String(first?.body['idempotencyKey']), /^[0-9a-f]{32}$/);
      page.close();
      sessionStorage.clear();
      const later = await open(form, lossy);
      await later.sees(`Finish ${form.what}`);
      lossy.mode = 'limit';
      await later.press(`Finish ${form.what}`);
      await later.sees('Too many calls.');
      assert.equal(unanswered.unansweredOf(key.account).length, 1, 'a limit proves nothing');
      lossy.mode = 'answer';
      await later.press(`Finish ${form.what}`);
      await until('no call without an answer', () => {
        return unanswered.unansweredOf(key.account).length === 0;
      });
      await until('a form', () => !later.text().includes(`Finish ${form.what}`));
      assert.deepEqual(lossy.sent, [first, first, first]);
    });
  }

  it('is discarded at a second press, and the next payment has another key', async () => {
    const form = onceForms.find(({ name }) => name === 'a payment');
    assert.ok(form !== undefined);
    const lossy = hubOf((path) => form.answers?.(path) ?? {});
    const page = await open(form, lossy);
    lossy.mode = 'lose';
    await start(form, page);
    await page.press('Discard');
    await page.sees('Only if your account shows');
    await page.press('Yes, it did not happen');
    await page.sees('Pay an account');
    lossy.mode = 'answer';
    for (const label of form.presses) await page.press(label);
    await page.sees('Paid 0.02');
    const [one, two] = lossy.sent.map(({ body }) => body['idempotencyKey']);
    assert.notEqual(one, two);
  });

  it('gets a new key at each press that was answered', async () => {
    const form = onceForms.find(({ name }) => name === 'a payment');
    assert.ok(form !== undefined);
    const lossy = hubOf((path) => form.answers?.(path) ?? {});
    const page = await open(form, lossy);
    for (let time = 1; time <= 2; time += 1) {
      await start(form, page);
      await until('a payment', () => lossy.sent.length === time);
      await page.sees('Paid 0.02');
      await until('an empty form', () => page.buttons().includes('Pay'));
    }
    assert.equal(new Set(lossy.sent.map(({ body }) => body['idempotencyKey'])).size, 2);
  });
});

/** Calls without money that make something each time, so that a form keeps their key. */
const MAKING: readonly string[] = [
  'wallet.mintApiKey',
  'webhooks.create',
  'tasks.comment',
  'poker.create',
];

describe('the calls of the pages that write', () => {
  const operations = Object.values(operationTable);
  const callOf = (path: string, hub: string, route: string) => {
    const operation = operations.find((o) => o.method === 'POST' && o.path === route);
    assert.ok(operation !== undefined, `${path}: ${route}`);
    return {
      path,
      hub,
      id: operation.id,
      isOnce: operation.idempotent === true || MAKING.includes(operation.id),
    };
  };
  const NAMED = /(\w+)(?: =|:)((?:[\s|]*'\/api\/v1[^']+')+)/g;
  const SENT = /(\w+)\.POST\(\s*(?:'([^']+)'|(\w+))/g;
  const callsOf = () =>
    readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !/test|fixture/.test(path))
      .flatMap((path) => {
        const text = readFileSync(join(import.meta.dirname, path), 'utf8');
        const routesOf = (name: string): string[] =>
          [...text.matchAll(NAMED)]
            .filter(([, each]) => each === name)
            .flatMap(([, , routes = '']) => routes.match(/\/api\/v1[^']+/g) ?? [])
            .filter((each) => operations.some((o) => o.method === 'POST' && o.path === each));
        return [...text.matchAll(SENT)].flatMap(([, hub = '', route, name = '']) => {
          const routes = route === undefined ? routesOf(name) : [route];
          assert.ok(routes.length > 0, `${path}: what is sent to ${name}?`);
          return routes.map((each) => callOf(path, hub, each));
        });
      });

  it('go by the keys of a press where the operation takes one', () => {
    const once = callsOf().filter(({ isOnce }) => isOnce);
    assert.ok(once.length > 15);
    const bare = once.filter(({ hub }) => hub !== 'once').map(({ path, id }) => `${path} ${id}`);
    // The first goes by the key of its conversation, the second sets a name, and the third passes
    // over lines that are there.
    assert.deepEqual(bare, [
      'models/conversation.ts models.chat',
      'storage/hosted.tsx hosted.publish',
      'storage/spaceFile.tsx memory.import',
    ]);
  });
});
