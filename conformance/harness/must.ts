import assert from 'node:assert/strict';
import type { Answer } from './agents.ts';
import { undeclared } from '../../tools/test/undeclared.ts';

export function mustOk(answer: Answer, status: 200 | 202 = 200): Record<string, unknown> {
  assert.equal(answer.status, status, `${answer.status} ${answer.text}`);
  return answer.body;
}

/** The preview of a call that was sent with `Prefer: dry-run`. */
export function mustPreview({ status, headers, text, body }: Answer): Record<string, unknown> {
  const type = headers.get('content-type');
  assert.deepEqual([status, type], [200, 'application/vnd.hub.preview+json'], text);
  assert.equal(headers.get('preference-applied'), 'dry-run');
  return body;
}

/** A refusal is whole: status, code, a reason, and a hint that ends with the code's address. */
export function mustRefuse(answer: Answer, status: number, code: string): Record<string, unknown> {
  assert.deepEqual([answer.status, answer.body['code']], [status, code], answer.text);
  assert.ok(String(answer.body['error']).length > 0, 'a refusal says why');
  assert.match(String(answer.body['hint']), new RegExp(`/errors/${code}$`));
  return answer.body;
}

/** Reads a nested value of an answer: `at(body, 'reward', 'amount')`. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (here, step) => (here as Record<string | number, unknown> | undefined)?.[step],
    value,
  );
}

/** Called after every suite: no answer of it may have differed from the contract. */
export function mustHaveConformed(): void {
  const faults = undeclared.splice(0);
  assert.deepEqual(faults, []);
}
