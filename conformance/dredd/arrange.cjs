const { setTimeout: sleep } = require('node:timers/promises');
const { newAccount, signatureHeaders } = require('./sign.cjs');

/**
 * What must exist for an operation to succeed. Alice makes every request of the run, Bob is the
 * other side. A setup answers with the path parameters and body fields that the contract's own
 * examples cannot know; an operation without one is asked with its example alone.
 */
const FUNDS_ATOMIC = '1000000000';
/** A pulse comes when its minute is over. */
const PULSE_MS_MAX = 70_000;
const POLL_MS = 250;
const DIGEST = '816d08f1ea030a1f5fafe61ee9b37a38faa4bdeca3d8566ff7155fbc0e72acce';

function openTown(url) {
  const [alice, bob] = [newAccount(), newAccount()];
  let calls = 0;

  async function post(account, path, body) {
    const text = JSON.stringify(body);
    const headers = { 'content-type': 'application/json' };
    const { host } = new URL(url);
    if (account !== undefined) {
      Object.assign(
        headers,
        signatureHeaders(account, { method: 'POST', host, target: path, body: text }),
      );
    }
    const answer = await fetch(url + path, { method: 'POST', headers, body: text });
    const read = await answer.json();
    if (!answer.ok)
      throw new Error(`arranging POST ${path} answered ${answer.status} ${JSON.stringify(read)}`);
    return read;
  }

  async function fund(account) {
    const body = { amount: FUNDS_ATOMIC, idempotencyKey: unused() };
    await post(undefined, `/api/v1/wallet/${account.account}/credit`, body);
  }

  /** An idempotency key that this run has not used. */
  function unused() {
    calls += 1;
    return `dredd-${calls}`;
  }

  async function task(requester, changes = {}) {
    const acceptance = { kind: 'contains', mode: 'all', values: ['done'] };
    const { id } = await post(requester, '/api/v1/tasks', {
      requester: requester.account,
      title: 'A small job',
      rewardAmount: '10000',
      verification: 'requester',
      acceptance,
      ...changes,
    });
    return id;
  }

  async function claimed(worker, requester) {
    const id = await task(requester);
    const body = { agentId: worker.account };
    const { claimToken } = await post(worker, `/api/v1/tasks/${id}/claim`, body);
    return { path: { id }, body: { claimToken } };
  }

  async function lendable(worker, requester) {
    const { path } = await claimed(worker, requester);
    return { body: { taskId: path.id } };
  }

  async function solved(requester, worker) {
    const id = await task(requester, { mode: 'open' });
    const body = { agentId: worker.account, result: 'done' };
    await post(worker, `/api/v1/tasks/${id}/solution`, body);
    return { path: { id } };
  }

  /** A task that takes plans, worth what the contract's example asks. */
  function openToPitches(requester) {
    return task(requester, { tags: ['pitch'], rewardAmount: '1000000' });
  }

  /** A chain of the requester, its first step open. */
  async function chained(requester) {
    const steps = [{ title: 'A step', rewardAmount: '10000', verification: 'requester' }];
    const body = { requester: requester.account, title: 'In order', steps };
    const { id } = await post(requester, '/api/v1/chains', body);
    return { path: { id } };
  }

  async function pitched(worker, requester) {
    const id = await openToPitches(requester);
    const body = { agentId: worker.account, plan: 'Line by line.' };
    const pitch = await post(worker, `/api/v1/tasks/${id}/pitch`, body);
    return { path: { id }, body: { pitchId: pitch.id } };
  }

  async function commented(author, requester) {
    const id = await task(requester);
    const body = { author: author.account, body: 'Mine.' };
    const comment = await post(author, `/api/v1/tasks/${id}/comments`, body);
    return { path: { id, commentId: comment.id } };
  }

  /** Stamped when the run began, so that most of the minute is over when it is asked for. */
  async function proved() {
    for (let waited = 0; waited < PULSE_MS_MAX; waited += POLL_MS) {
      const { status } = await fetch(`${url}/api/v1/time/stamps/${DIGEST}`);
      if (status === 200) return { path: { digest: DIGEST } };
      await sleep(POLL_MS);
    }
    throw new Error(`no pulse came in ${PULSE_MS_MAX / 1000} s`);
  }

  const own = async () => ({ path: { id: await task(alice) } });
  const bobs = async () => ({ path: { id: await task(bob) } });
  const setups = {
    'tasks.get': own,
    'tasks.economics': own,
    'tasks.comments': own,
    'tasks.solutions': own,
    'tasks.cancel': own,
    'tasks.comment': bobs,
    'tasks.claim': bobs,
    'tasks.start': bobs,
    'tasks.solution': async () => ({ path: { id: await task(bob, { mode: 'open' }) } }),
    'tasks.submit': async () => {
      const claim = await claimed(alice, bob);
      return { ...claim, body: { ...claim.body, result: 'done' } };
    },
    'tasks.pitch': async () => ({ path: { id: await openToPitches(bob) } }),
    'tasks.pitches': own,
    'tasks.choose': () => pitched(bob, alice),
    'tasks.fail': () => claimed(alice, bob),
    'tasks.accept': () => solved(alice, bob),
    'tasks.reject': () => solved(alice, bob),
    'tasks.withdrawComment': () => commented(alice, bob),
    'chains.get': () => chained(alice),
    'chains.abandon': () => chained(alice),
    'services.credit': () => lendable(alice, bob),
    'time.proof': proved,
    // The pulse of that proof is the head, or one before it.
    'time.pulse': async () => void (await proved()),
  };

  return {
    alice,
    bob,
    unused,
    open: async () => {
      await post(undefined, '/api/v1/time/stamp', { digest: DIGEST });
      await fund(alice);
      await fund(bob);
    },
    arrange: async (operationId) => (await setups[operationId]?.()) ?? {},
  };
}

module.exports = { openTown };
