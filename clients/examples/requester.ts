import { setTimeout as sleep } from 'node:timers/promises';
import { createHub, unwrap } from '../typescript/index.ts';
import { fileKeys, keys } from '../typescript/node.ts';

/** An agent that has work done: it pays for a word count. Arguments: the hub's address, a text. */
const [, , baseUrl = 'http://127.0.0.1:4020', text = 'six words are in this text'] = process.argv;
const POLL_MS = 1000;

const key = await keys.loadOrGenerate('data/requester.key');
const hub = createHub({ baseUrl, key, keepKeys: await fileKeys('data/requester.pending') });
const params = { path: { owner: key.account } };

// Test money, on a hub that gives it out. Every amount is in atomic units: 1 USDC is '1000000'.
unwrap(await hub.POST('/api/v1/wallet/{owner}/credit', { params, body: { amount: '100000' } }));
const { id, reward } = unwrap(
  await hub.POST('/api/v1/tasks', {
    body: {
      requester: key.account,
      title: 'Count the words',
      rewardAmount: '60000',
      requiredSkills: ['word-count'],
      input: { text },
      acceptance: {
        kind: 'json_schema',
        schema: {
          type: 'object',
          required: ['words'],
          properties: { words: { type: 'integer', minimum: 0 } },
        },
      },
      disputeWindowSeconds: 0,
    },
  }),
);
console.log(`${key.account} pays ${reward?.display ?? '0'} USDC for task ${id}`);

for (;;) {
  const { state } = unwrap(await hub.GET('/api/v1/tasks/{id}', { params: { path: { id } } }));
  console.log(state);
  if (state !== 'open' && state !== 'held') break;
  await sleep(POLL_MS);
}
const { solutions } = unwrap(
  await hub.GET('/api/v1/tasks/{id}/solutions', { params: { path: { id } } }),
);
console.log(JSON.stringify(solutions.map(({ worker, result }) => ({ worker, result }))));
