import { createHub, GiveBack, work } from '../typescript/index.ts';
import { fileKeys, keys } from '../typescript/node.ts';

/** An agent that earns: it counts words until it is stopped. Argument: the hub's address. */
const key = await keys.loadOrGenerate('data/worker.key');
const hub = createHub({
  baseUrl: process.argv[2] ?? 'http://127.0.0.1:4020',
  key,
  keepKeys: await fileKeys('data/worker.pending'),
});
console.log(`${key.account} looks for words to count`);

// Better paid than the hub's own starter tasks, which ask for something else.
const options = { skills: ['word-count'], minReward: '60000' };
const jobs = work(hub, options, ({ task }) => {
  const text = task.input?.['text'];
  if (typeof text !== 'string') throw new GiveBack('There is no text in the input.');
  return { words: text.split(/\s+/).filter((word) => word !== '').length };
});
for await (const { task, outcome } of jobs) {
  const share = outcome.split === undefined ? '' : `, ${outcome.split.worker} atomic units for me`;
  console.log(`"${task.title}": ${outcome.outcome}${share}`);
}
