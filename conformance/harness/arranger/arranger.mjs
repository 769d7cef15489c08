import { newAccount, signatureHeaders } from './account.mjs';
import { gameSetups } from './games.mjs';
import { holdingSetups } from './holdings.mjs';
import { logSetups } from './log.mjs';
import { openPlace } from './place.mjs';
import { registrySetups, seats, until } from './registry.mjs';
import { taskMaker, taskSetups } from './tasks.mjs';

/**
 * A hub with one of everything, by its address alone: the state that must exist for an operation to
 * succeed. Alice makes every request of a run, Bob is the other side. A setup answers with the path
 * parameters and body fields that the contract's own examples cannot know; an operation without one
 * is asked with its example alone. It shares no code with the hub.
 */
/** The faucet's most for a call. */
const FUNDS_ATOMIC = '1000000000';
/** A pulse comes when its minute is over. */
const PULSE_MS_MAX = 70_000;
/** A seal comes with the minute, and the job that reads it twice in one. */
const CASE_MS_MAX = 150_000;
/** Cases may be asked for sixty times a minute. */
const CASE_POLL_MS = 3_000;
const DIGEST = '816d08f1ea030a1f5fafe61ee9b37a38faa4bdeca3d8566ff7155fbc0e72acce';

/**
 * `pair` is the address of this machine that the hub may call; setups that need it throw without.
 * `seeds` are those of Alice and Bob, `now` the clock that their signatures are made by.
 */
export function openArranger({ url, pair, seeds = [], now = Date.now }) {
  const [alice, bob] = [newAccount(seeds[0]), newAccount(seeds[1])];
  const [carol, dora] = [newAccount(), newAccount()];
  let calls = 0;
  let key;

  const { host } = new URL(url);

  async function post(account, path, body) {
    const text = JSON.stringify(body);
    const sent = { method: 'POST', host, target: path, body: text };
    const headers = {
      'content-type': 'application/json',
      ...(account !== undefined && signatureHeaders(account, sent, now())),
    };
    const answer = await fetch(url + path, { method: 'POST', headers, body: text });
    const read = await answer.json();
    if (!answer.ok)
      throw new Error(`arranging POST ${path} answered ${answer.status} ${JSON.stringify(read)}`);
    return read;
  }

  const read = async (path, headers = {}) => (await fetch(url + path, { headers })).json();

  const get = (account, path) =>
    read(path, signatureHeaders(account, { method: 'GET', host, target: path, body: '' }, now()));

  async function fund(account) {
    const body = { amount: FUNDS_ATOMIC, idempotencyKey: unused() };
    await post(undefined, `/api/v1/wallet/${account.account}/credit`, body);
  }

  /** An idempotency key that this run has not used. */
  function unused() {
    calls += 1;
    return `arranged-${calls}`;
  }

  /** Stamped when the run began, so that most of the minute is over when it is asked for. */
  async function proved() {
    await until('pulse came', PULSE_MS_MAX, async () => {
      const { status } = await fetch(`${url}/api/v1/time/stamps/${DIGEST}`);
      return status === 200 ? status : undefined;
    });
    return { path: { digest: DIGEST } };
  }

  async function earnings() {
    const find = async () => (await read('/api/v1/cases')).cases[0];
    const { id } = await until('case was published', CASE_MS_MAX, find, CASE_POLL_MS);
    return { path: { id } };
  }

  /** The one place of this run that the hub can call; it is opened when it is first needed. */
  const place = openPlace(pair, alice.keyId);
  const opened = () => place.open();
  const people = { alice, bob, carol, dora };
  const calling = { url, now, post, get, read, unused, fund };
  const tasks = taskMaker(calling);
  const hub = { ...people, ...calling, tasks, seated: seats(calling), place, opened, proved };
  const setups = {
    ...gameSetups(hub),
    ...holdingSetups(hub),
    ...logSetups(hub),
    ...taskSetups(hub),
    ...registrySetups(hub),
    'discovery.case': earnings,
    'time.proof': proved,
    // The pulse of that proof is the head, or one before it.
    'time.pulse': async () => void (await proved()),
  };

  const apiKey = () => {
    key ??= post(alice, `/api/v1/wallet/${alice.account}/api-keys`, {});
    return key.then((minted) => minted.key);
  };
  const arrange = async (operationId, type) => (await setups[operationId]?.(type)) ?? {};

  /** Ids by the beginning of the operations that take them, `count` of each, and an API key. */
  async function furnish(count) {
    const ids = async (...operations) => {
      const made = [];
      for (let nth = 0; nth < count; nth += 1)
        made.push((await arrange(operations[nth % operations.length])).path.id);
      return made;
    };
    return {
      ids: {
        'memory.': await ids('memory.readSpace'),
        'chains.': await ids('chains.get'),
        'predictions.': await ids('predictions.get'),
        // At every other table Alice has a seat.
        'poker.': await ids('poker.leave', 'poker.sit'),
        'wallet.revokeApiKey': await ids('wallet.revokeApiKey'),
        ...(pair !== undefined && { 'registry.': [(await arrange('hosted.list')).listing] }),
      },
      apiKey: await apiKey(),
    };
  }

  return {
    alice,
    bob,
    unused,
    fund,
    apiKey,
    arrange,
    furnish,
    tasks,
    open: async () => {
      await post(undefined, '/api/v1/time/stamp', { digest: DIGEST });
      await fund(alice);
      await fund(bob);
      await tasks.paid(alice, bob);
    },
  };
}
