// Runs in a folder with the installed client: `node money.mjs earn|compare URL`. `earn` gives a new
// account money, pays and publishes; `compare` reads that account and requires what was left.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createHub, generateKey, unwrap } from '@agent-exchange/client';
import { keys } from '@agent-exchange/client/node';

const [, , step, baseUrl] = process.argv;
const key = await keys.loadOrGenerate('rehearsal.key');
const hub = createHub({ baseUrl, key });
const own = { params: { path: { owner: key.account } } };

async function read() {
  const { wallet } = unwrap(await hub.GET('/api/v1/me'));
  const { tasks } = unwrap(
    await hub.GET('/api/v1/tasks', { params: { query: { requester: key.account } } }),
  );
  return {
    wallet,
    tasks: tasks.map(({ id, state, reward }) => ({ id, state, reward })),
  };
}

if (step === 'earn') {
  const body = { amount: '1000000', idempotencyKey: 'rehearsal' };
  unwrap(await hub.POST('/api/v1/wallet/{owner}/credit', { ...own, body }));
  const { account: to } = await generateKey();
  const paid = { to, amount: '250000', idempotencyKey: 'rehearsal' };
  unwrap(await hub.POST('/api/v1/wallet/{owner}/pay', { ...own, body: paid }));
  const task = {
    requester: key.account,
    title: 'Stay through the upgrade',
    rewardAmount: '100000',
  };
  unwrap(await hub.POST('/api/v1/tasks', { body: task }));
  const found = await read();
  assert.equal(found.wallet.spendable, '650000');
  assert.equal(found.tasks[0]?.reward?.amount, '100000');
  writeFileSync('rehearsal.json', JSON.stringify(found));
} else {
  assert.deepEqual(await read(), JSON.parse(readFileSync('rehearsal.json', 'utf8')));
}
