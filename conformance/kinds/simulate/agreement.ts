import assert from 'node:assert/strict';
import type { Answer } from '../../harness/agents.ts';
import type { Tally } from './tally.ts';

/** Whether a call was answered; what a model says it is refused for has to be what it is. */
export type Agreement = (answer: Answer, refused: string | undefined, what: string) => boolean;

export function agreement(tally: Tally): Agreement {
  return (answer, refused, what) => {
    tally.count(refused === undefined ? what : `${what}: ${refused}`);
    const code = answer.status === 200 ? undefined : answer.body['code'];
    assert.equal(code, refused, `${what}: ${answer.text}`);
    return refused === undefined;
  };
}
