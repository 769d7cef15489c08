import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { EVENT_AREAS } from './eventKinds.ts';

describe('the kinds of events', () => {
  it('are all taken by the filter of webhooks, which names no other', () => {
    const path = new URL('../generated/openapi.json', import.meta.url);
    const text = readFileSync(path, 'utf8');
    const document = JSON.parse(text) as {
      components: { schemas: { WebhookTypes: { items: { pattern: string } } } };
    };
    const { pattern } = document.components.schemas.WebhookTypes.items;
    assert.equal(pattern, `^(${EVENT_AREAS.join('|')})(\\.[a-z]{1,20})?$`);
  });
});
