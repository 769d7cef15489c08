/**
 * The state that must exist for operations on tasks and chains. `worked` and `held` make tasks in
 * every state at once, for programs that ask about all of them.
 */
const REWARD = '10000';
const DAY_SECONDS = 86_400;
const ACCEPTANCE = { kind: 'contains', mode: 'all', values: ['done'] };

/** A task of each state, with the values that belong to it. */
export function taskMaker({ post, get, unused }) {
  async function task(requester, changes = {}) {
    const { id } = await post(requester, '/api/v1/tasks', {
      requester: requester.account,
      title: 'A small job',
      rewardAmount: REWARD,
      verification: 'requester',
      acceptance: ACCEPTANCE,
      ...changes,
    });
    return id;
  }

  const claim = (worker, id) =>
    post(worker, `/api/v1/tasks/${id}/claim`, { agentId: worker.account });

  /** A task whose brief names a file. */
  async function withFile(requester) {
    const file = { owner: requester.account, key: `brief ${unused()}` };
    const stored = await post(requester, '/api/v1/files', {
      ...file,
      contentBase64: 'YSBicmllZg==',
    });
    const id = await task(requester, { files: [{ ...file, sha256: stored.sha256 }] });
    return { path: { id, digest: stored.sha256 } };
  }

  async function claimed(worker, requester) {
    const id = await task(requester);
    const { claimToken } = await claim(worker, id);
    return { path: { id }, body: { claimToken } };
  }

  async function delivered(worker, requester, changes) {
    const id = await task(requester, changes);
    const { claimToken } = await claim(worker, id);
    const body = { claimToken, result: 'done' };
    const { solutionId } = await post(worker, `/api/v1/tasks/${id}/submit`, body);
    return { path: { id }, body: { solutionId } };
  }

  /** Hands back every claim of an account; claiming again returns the token once more. */
  async function emptyHanded(worker) {
    const { claims } = await get(worker, '/api/v1/me');
    for (const { taskId, leaseEndsAt } of claims) {
      // A delivered result waits for its requester.
      if (leaseEndsAt === undefined) continue;
      const { claimToken } = await claim(worker, taskId);
      await post(worker, `/api/v1/tasks/${taskId}/fail`, { claimToken });
    }
  }

  async function lendable(worker, requester) {
    await emptyHanded(worker);
    const { path } = await claimed(worker, requester);
    return { body: { taskId: path.id } };
  }

  async function solved(requester, worker) {
    const id = await task(requester, { mode: 'open' });
    const body = { agentId: worker.account, result: 'done' };
    const { solutionId } = await post(worker, `/api/v1/tasks/${id}/solution`, body);
    return { path: { id }, solutionId };
  }

  /** A task that takes plans, worth what the contract's example asks. */
  function openToPitches(requester) {
    return task(requester, { tags: ['pitch'], rewardAmount: '1000000' });
  }

  async function pitched(worker, requester, id) {
    const body = { agentId: worker.account, plan: 'Line by line.' };
    const pitch = await post(worker, `/api/v1/tasks/${id}/pitch`, body);
    return { path: { id }, body: { pitchId: pitch.id } };
  }

  /** A chain of the requester, its first step open. */
  async function chained(requester) {
    const steps = [{ title: 'A step', rewardAmount: REWARD, verification: 'requester' }];
    const body = { requester: requester.account, title: 'In order', steps };
    const chain = await post(requester, '/api/v1/chains', body);
    return { path: { id: chain.id }, taskId: chain.steps[0].taskId };
  }

  async function commented(author, id) {
    const body = { author: author.account, body: 'Mine.' };
    const comment = await post(author, `/api/v1/tasks/${id}/comments`, body);
    return { path: { id, commentId: comment.id } };
  }

  /** A result that passed, its payout waiting for objections. */
  const accepted = (worker, requester, changes = {}) =>
    delivered(worker, requester, { verification: 'automatic', ...changes });

  async function disputed(worker, requester, changes) {
    const { path } = await accepted(worker, requester, changes);
    const body = { raisedBy: requester.account, reason: 'The third line is missing.' };
    await post(requester, `/api/v1/tasks/${path.id}/dispute`, body);
    return { path };
  }

  /** A job that is paid at once; published as a case when its transfer is sealed. */
  const paid = (worker, requester) => accepted(worker, requester, { disputeWindowSeconds: 0 });

  /**
   * Tasks that wait in every state but a claim, as their ids; results that wait for a verdict, each
   * with its task; and the ids of a pitch and of a chain.
   */
  async function worked(worker, requester) {
    const window = { disputeWindowSeconds: DAY_SECONDS };
    const [exclusive, open] = [
      await task(requester, { mode: 'exclusive' }),
      await task(requester, { mode: 'open' }),
    ];
    const made = await delivered(worker, requester);
    const passed = await accepted(worker, requester, window);
    const refused = await disputed(worker, requester, window);
    const offered = await solved(requester, worker);
    const plans = await task(requester, { tags: ['pitch'] });
    const pitch = await pitched(worker, requester, plans);
    const thread = await task(requester, { tags: ['thread'], rewardAmount: undefined });
    await commented(worker, thread);
    const chain = await chained(requester);
    const done = [made, passed, refused, offered].map(({ path }) => path.id);
    return {
      tasks: [exclusive, open, ...done, plans, thread, chain.taskId],
      solutions: { [made.body.solutionId]: made.path.id, [offered.solutionId]: offered.path.id },
      others: [pitch.body.pitchId, chain.path.id],
    };
  }

  return {
    task,
    withFile,
    claimed,
    lendable,
    solved,
    openToPitches,
    pitched,
    chained,
    commented,
    accepted,
    disputed,
    paid,
    worked,
  };
}

/** Each operation of tasks and chains with what must be there before it. */
export function taskSetups({ alice, bob, tasks, seated }) {
  const { task, claimed, solved } = tasks;
  const own = async () => ({ path: { id: await task(alice) } });
  const bobs = async () => ({ path: { id: await task(bob) } });
  const mine = () => solved(alice, bob);
  return {
    'tasks.get': own,
    'tasks.economics': own,
    'tasks.comments': own,
    'tasks.solutions': own,
    'tasks.cancel': own,
    'tasks.amend': async () => ({ ...(await own()), body: { revision: 1 } }),
    'tasks.file': () => tasks.withFile(alice),
    'tasks.comment': bobs,
    'tasks.claim': bobs,
    'tasks.start': bobs,
    'tasks.solution': async () => ({ path: { id: await task(bob, { mode: 'open' }) } }),
    'tasks.submit': async () => {
      const claim = await claimed(alice, bob);
      return { ...claim, body: { ...claim.body, result: 'done' } };
    },
    'tasks.pitch': async () => ({ path: { id: await tasks.openToPitches(bob) } }),
    'tasks.pitches': own,
    'tasks.matches': own,
    'tasks.choose': async () => tasks.pitched(bob, alice, await tasks.openToPitches(alice)),
    'tasks.fail': () => claimed(alice, bob),
    'tasks.accept': mine,
    'tasks.reject': mine,
    'tasks.withdrawComment': async () => tasks.commented(alice, await task(bob)),
    'tasks.dispute': async () => ({ path: (await tasks.accepted(bob, alice)).path }),
    'tasks.readDispute': () => tasks.disputed(bob, alice),
    'tasks.disputes': () => seated(alice),
    'chains.get': () => tasks.chained(alice),
    'chains.abandon': () => tasks.chained(alice),
    'services.credit': () => tasks.lendable(alice, bob),
  };
}
