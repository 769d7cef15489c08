import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { UncertainCommit } from '../../db/uncertainCommit.ts';
import { atomic } from '../../domain/money.ts';
import { HubError, wireRefusal } from './errors.ts';

interface Contract {
  readonly components: {
    readonly schemas: {
      readonly Refusal: { readonly properties: Record<string, { readonly maxLength: number }> };
    };
  };
}
const file = new URL('../../generated/openapi.json', import.meta.url);
const { Refusal: form } = (JSON.parse(readFileSync(file, 'utf8')) as Contract).components.schemas;

describe('a refusal', () => {
  it('is what the contract takes, however long the names and values are that callers chose', () => {
    const long = '𝕏'.repeat(5_000);
    const thrown = new HubError('bad-request', { error: long, hint: long, field: long }, {});
    const { status, body } = wireRefusal(thrown, 'request-1', 'https://hub.example');
    assert.equal(status, 400);
    for (const name of ['error', 'hint', 'field'] as const) {
      const text = body[name] ?? '';
      const { maxLength = 0 } = form.properties[name] ?? {};
      assert.ok(text.startsWith('𝕏') && [...text].length <= maxLength, name);
    }
    assert.match(body.hint, /… See https:\/\/hub\.example\/errors\/bad-request$/);
  });

  it('keeps its class and its other members when it gets more headers', () => {
    class Special extends HubError {
      readonly more = 'kept';
    }
    const asks = { amount: atomic(5n), network: 'base' } as const;
    const first = new Special('approval-needed', { error: 'It waits.' }, { a: '1' }, asks);
    const second = first.with({ headers: { ...first.headers, b: '2' } });
    assert.ok(second instanceof Special);
    assert.deepEqual(
      [second.code, second.message, second.asks, second.more, second.headers],
      ['approval-needed', 'It waits.', asks, 'kept', { a: '1', b: '2' }],
    );
    assert.deepEqual(first.headers, { a: '1' }, 'the first one is unchanged');
  });

  it('names no key of idempotency to the caller of a read, which has none', () => {
    for (const thrown of [
      new HubError('busy', {}, {}),
      new HubError('replayed', {}, {}),
      new UncertainCommit(Promise.resolve()),
      new Error('a bug'),
    ]) {
      const hintOf = (method: string): string => wireRefusal(thrown, 'r', '', method).body.hint;
      assert.match(hintOf('POST'), /idempotencyKey/);
      for (const method of ['GET', 'HEAD']) {
        assert.doesNotMatch(hintOf(method), /idempotencyKey/);
        assert.match(hintOf(method), /again/);
      }
    }
  });

  it('shows of a bug nothing but the request', () => {
    const { status, body } = wireRefusal(new Error('secret'), 'request-2', 'https://hub.example');
    assert.deepEqual([status, body.code, body.requestId], [500, 'internal', 'request-2']);
    assert.doesNotMatch(JSON.stringify(body), /secret/);
  });
});
