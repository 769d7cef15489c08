import assert from 'node:assert/strict';
import type { ComponentType } from 'preact';
import { generateKey, type GeneratedKey } from '../../typescript/sign.ts';
import { inDocument } from '../fixture/dom.ts';
import { draw, lossyHub, until, type LossyHub, type Page } from '../fixture/forms.ts';

const ID = '01a20595-f4f9-70ff-90fe-0d18094d68eb';
const NOTE = {
  noteId: ID,
  key: 'plans',
  author: 'key:a',
  content: 'Five plans.',
  embedded: true,
  bytes: 20,
  at: '2026-11-30T00:00:00.000Z',
  metadata: { topic: 'plans', year: 2026 },
  expiresAt: '2027-01-01T00:00:00.000Z',
};

describe('the page of memory', () => {
  let key: GeneratedKey;
  let page: Page;
  let hub: LossyHub;

  inDocument();
  before(async () => {
    key = await generateKey();
  });
  afterEach(() => page.close());

  async function open(form: ComponentType<never>, props: object = {}): Promise<void> {
    const { keysOfAccount } = await import('../unanswered.ts');
    localStorage.clear();
    sessionStorage.clear();
    const models = [{ id: 'chatty' }, { id: 'hub/words', dimensions: { most: 768 } }];
    hub = lossyHub(key, (path) => (path.endsWith('/models') ? { models } : { id: ID, noteId: ID }));
    const own = { hub: hub.open(keysOfAccount), account: key.account, id: ID, changed: () => {} };
    page = draw(form, { ...own, ...props });
  }
  const bodyOf = async (): Promise<Record<string, unknown>> => {
    await until('a call', () => hub.sent.length === 1);
    const { idempotencyKey: _, ...body } = hub.sent[0]?.body ?? {};
    return body;
  };
  const note = async (props: object = {}): Promise<void> => {
    const { WriteNote } = await import('./writeNote.tsx');
    await open(WriteNote as ComponentType<never>, props);
  };

  it('writes a note with facts and the moment at which it is deleted', async () => {
    await note();
    await page.fill('Text of the note', 'Thetis');
    await page.fill('Facts about it, as JSON', '{"topic":"sea"}');
    await page.fill('Delete it at', '2027-01-01 10:30');
    await page.press('Write a note');
    const written = { author: key.account, spaceId: ID, content: 'Thetis' };
    const expiresAt = '2027-01-01T10:30:00.000Z';
    assert.deepEqual(await bodyOf(), { ...written, metadata: { topic: 'sea' }, expiresAt });
  });

  it('takes no facts that are no object, and no moment that is none', async () => {
    await note();
    await page.fill('Text of the note', 'Thetis');
    await page.fill('Facts about it, as JSON', '[1]');
    await page.sees('This is no JSON object.');
    await page.fill('Facts about it, as JSON', '');
    await page.fill('Delete it at', 'soon');
    await page.sees('This is no date and no time.');
    await page.fill('Delete it at', '');
    await page.press('Write a note');
    assert.deepEqual(await bodyOf(), { author: key.account, spaceId: ID, content: 'Thetis' });
  });

  it('changes the text of a note, and keeps its facts and its end', async () => {
    await note({ note: NOTE, name: 'plans' });
    await page.sees('the note loses the embedding');
    await page.fill('Text of the note', 'Six plans.');
    await page.press('Save plans');
    const { metadata, expiresAt, content } = await bodyOf();
    assert.deepEqual([metadata, expiresAt, content], [NOTE.metadata, NOTE.expiresAt, 'Six plans.']);
  });

  it('warns of no lost vector where a model makes them', async () => {
    await note({ note: NOTE, name: 'plans', hasModel: true });
    await page.sees('Save plans');
    assert.doesNotMatch(page.text(), /loses the embedding/);
  });

  it('makes a space with a model, of those that make vectors', async () => {
    const { MakeSpace } = await import('./spaces.tsx');
    await open(MakeSpace as ComponentType<never>);
    await page.sees('hub/words');
    assert.doesNotMatch(page.text(), /chatty/);
    await page.fill('Name of a new space', 'sea');
    await page.fill('Model that makes vectors', 'hub/words');
    await page.press('Make a space');
    const made = { owner: key.account, name: 'sea', kind: 'private', model: 'hub/words' };
    assert.deepEqual(await bodyOf(), made);
  });
});
