import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { EVENT_AREAS } from './eventKinds.ts';

interface Parameter {
  readonly name: string;
  readonly schema: { readonly pattern?: string };
}

describe('the kinds of events', () => {
  it('are all taken by the filters of webhooks and events, which name no other', () => {
    const path = new URL('../generated/openapi.json', import.meta.url);
    const text = readFileSync(path, 'utf8');
    const document = JSON.parse(text) as {
      components: { schemas: { WebhookTypes: { items: { pattern: string } } } };
      paths: Readonly<Record<string, { get: { parameters: readonly Parameter[] } }>>;
    };
    const { pattern } = document.components.schemas.WebhookTypes.items;
    assert.equal(pattern, `^(${EVENT_AREAS.join('|')})(\\.[a-z]{1,20})?$`);
    const asked = document.paths['/api/v1/me/events']?.get.parameters;
    const types = asked?.find(({ name }) => name === 'types')?.schema.pattern;
    const one = `(${EVENT_AREAS.join('|')})(\\.[a-z-]{1,20})?`;
    assert.equal(types, `^${one}(,${one})*$`);
  });
});
