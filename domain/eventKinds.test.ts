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
    const one = `(${EVENT_AREAS.join('|')})(\\.[a-z-]{1,20})?`;
    assert.equal(pattern, `^${one}$`);
    for (const kind of ['task.auto-accepted', 'money.in', 'approval', 'policy', 'key.revoked'])
      assert.match(kind, new RegExp(pattern));
    const asked = document.paths['/api/v1/me/events']?.get.parameters;
    const types = asked?.find(({ name }) => name === 'types')?.schema.pattern;
    assert.equal(types, `^${one}(,${one})*$`);
  });
});
