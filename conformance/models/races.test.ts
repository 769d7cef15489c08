import assert from 'node:assert/strict';
import { at } from '../harness/must.ts';
import { agentWith } from '../harness/agents.ts';
import { generateKey } from '../../clients/typescript/sign.ts';
import { hubsOnBothDatabases } from '../memory/worlds.ts';
import { chat, moneyOf, until } from './_desk.ts';
import { answerOf, localProvider, startUpstream, upstreamFile } from './_upstream.ts';

hubsOnBothDatabases('calls of models at once', (open) => {
  it('admit as many as the money is for, over two processes', async () => {
    let goOn = (): void => undefined;
    const wait = new Promise<void>((resolve) => (goOn = resolve));
    const upstream = await startUpstream();
    upstream.play(() => [{ wait }, ...answerOf(3, 11)]);
    const file = upstreamFile([localProvider(upstream)], [upstream]);
    const worlds = [await open({ env: file.env }), await open({ env: file.env })];
    const secret = await generateKey();
    const agents = worlds.map(({ hub }) => agentWith(hub, secret));
    const [first] = agents;
    if (worlds[0] === undefined || first === undefined) throw new Error('two hubs');
    // 1,022 may be needed for each.
    await worlds[0].fund(first, `${10 * 1_022 + 1_021}`);
    let refused = 0;
    const calls = Array.from({ length: 50 }, async (_, n) => {
      const answer = await chat(agents[n % 2] ?? first);
      if (answer.status === 400) refused += 1;
      return answer;
    });
    // All have been decided before the first of them gives money back.
    await until(() => upstream.asked.length === 10 && refused === 40);
    const money = await moneyOf(first);
    assert.deepEqual([money.held, money.spendable], [10_220n, 1_021n]);
    goOn();
    const answers = await Promise.all(calls);
    const outcomes = answers.map(({ body }) => at(body, 'receipt', 'outcome') ?? body['code']);
    const count = (outcome: string): number => outcomes.filter((each) => each === outcome).length;
    assert.deepEqual([count('completed'), count('insufficient-funds')], [10, 40]);
    assert.deepEqual(await moneyOf(first), { held: 0n, spendable: 11_241n - 10n * 52n });
    assert.equal(upstream.asked.length, 10);
    await upstream.close();
    file.remove();
  });
});
