// The steps of an agent with the published client, in whichever runtime runs this: `program CLIENT HUB`.
// Prints one line for each thing that held, and fails at the first that does not.
const [, , client, baseUrl] = process.argv;
const {
  createHub,
  generateKey,
  isRefusal,
  items,
  nextCalls,
  sseEvents,
  unwrap,
  verify,
  watchTask,
  work,
} = await import(client);

const held = (what, isSo) => {
  if (!isSo) throw new Error(`NOT ${what}`);
  console.log(`held ${what}`);
};
const hub = createHub({ baseUrl, key: await generateKey() });
const { account } = hub;
const params = { path: { owner: account } };

const { wallet } = unwrap(await hub.GET('/api/v1/me'));
held('a signed read', wallet.spendable === '0');

const paying = { params, body: { to: (await generateKey()).account, amount: '250000' } };
const short = await hub
  .POST('/api/v1/wallet/{owner}/pay', paying)
  .then(unwrap)
  .catch((error) => error);
held('a refusal by its code', isRefusal(short, 'insufficient-funds') && short.hint !== undefined);

unwrap(await hub.POST('/api/v1/wallet/{owner}/credit', { params, body: { amount: '1000000' } }));
const paid = unwrap(await hub.POST('/api/v1/wallet/{owner}/pay', paying));
held('a payment with a key of its own', paid.spendableAfter === '750000');

const spoken = await hub.POST('/api/v1/models/chat', {
  body: { model: 'hub/echo', messages: [{ role: 'user', content: 'Hello' }], stream: true },
  parseAs: 'stream',
});
const events = [];
for await (const { event } of sseEvents(spoken.response)) events.push(event);
held('a stream of events to its receipt', events.at(-1) === 'receipt');

const body = { requester: account, title: 'Say hello', rewardAmount: '10000' };
const { id } = unwrap(await hub.POST('/api/v1/tasks', { body }));
const listed = [];
for await (const task of items(hub, '/api/v1/tasks', 'tasks')) listed.push(task.id);
held('a list, item by item', listed.includes(id));

const worker = createHub({ baseUrl, key: await generateKey() });
const signal = AbortSignal.timeout(20_000);
for await (const { outcome } of work(worker, { signal, wait: 1 }, () => 'hello')) {
  if (outcome.taskId === id) break;
}
for await (const task of watchTask(hub, id)) {
  const [accept] = nextCalls(hub, task, 'tasks.accept');
  await accept?.run();
}
const after = unwrap(await worker.GET('/api/v1/me'));
held('work that was delivered, accepted and paid', BigInt(after.wallet.spendable) > 0n);

const digest = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb';
const promise = unwrap(await hub.POST('/api/v1/time/stamp', { body: { digest } }));
const keys = await (await fetch(`${baseUrl}/keys`)).json();
const reported = await verify.promise(promise, keys);
const forged = await verify.promise({ ...promise, digest: 'f'.repeat(64) }, keys);
held('a promise of the hub, checked without it', reported.ok && !forged.ok);
