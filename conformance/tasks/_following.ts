import assert from 'node:assert/strict';
import { DRY_RUN, type Agent, type Answer } from '../harness/agents.ts';
import { offersIn } from '../harness/offers.ts';

export { offersIn };

/**
 * An agent that takes up every offer of every answer as it stands, without its being kept; a poll
 * is sent without its wait. The operations are noted in `taken`.
 */
export function following(agent: Agent, taken: string[]): Agent {
  const follow = async (answer: Answer): Promise<Answer> => {
    for (const { action, call } of offersIn(answer.body)) {
      const isRead = call.method === 'GET';
      const path = call.path.replace(/\bwait=\d+/, 'wait=0');
      const headers = isRead ? {} : DRY_RUN;
      const sent = await agent.send(await agent.signed(call.method, path, call.body, headers));
      const from = `${answer.text}\noffers ${JSON.stringify(call)}\n${sent.text}`;
      assert.equal(sent.status, 200, from);
      taken.push(action);
    }
    return answer;
  };
  return {
    ...agent,
    get: async (path) => follow(await agent.get(path)),
    post: async (path, body) => follow(await agent.post(path, body)),
  };
}
