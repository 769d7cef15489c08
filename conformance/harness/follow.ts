import assert from 'node:assert/strict';
import type { Agent, Answer } from './agents.ts';
import { callsOf } from './hints.ts';
import { mustOk } from './must.ts';

/** A call that leads nowhere is refused with one of these. */
const NOWHERE = ['no-route', 'method-not-allowed', 'wrong-owner', 'not-found', 'bad-path'];

/**
 * Makes each call of a refusal's hint as it is written, as the refused caller: a read answers; a
 * call that needs a body is found and takes the caller for who it is. The refused call is left to
 * the test, which knows what to mend. A poll is sent without its wait. Answers how many there were.
 */
export async function followHint(by: Pick<Agent, 'get' | 'post'>, answer: Answer): Promise<number> {
  const hint = String(answer.body['hint']);
  const calls = callsOf(hint).filter(({ isAgain }) => !isAgain);
  for (const { method, path, body } of calls) {
    assert.doesNotMatch(path, /[{}]/, `left for the caller to guess: ${hint}`);
    if (method === 'GET') {
      mustOk(await by.get(path.replace(/\bwait=\d+/, 'wait=0')));
      continue;
    }
    const content = body === undefined ? {} : (JSON.parse(body) as Record<string, unknown>);
    const next = await by.post(path, content);
    assert.ok(!NOWHERE.includes(String(next.body['code'])), `${path} ${next.text}`);
  }
  return calls.length;
}
