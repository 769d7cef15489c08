import {
  isFinal,
  items,
  nextCalls,
  TASK_STATES,
  unwrap,
  watchTask,
  type Hub,
  type paths,
  type WatchedTask,
} from '../index.ts';
import {
  countOf,
  runVerb,
  textOf,
  UsageError,
  wordsOf,
  type Call,
  type Command,
  type ExitCode,
  type Verb,
} from './command.ts';
import { usdc } from './money.ts';
import { amend, workers } from './amend.ts';
import { publish } from './publish.ts';
import { taskFileTo } from './taskFile.ts';
import { openReader, openSession, ownerOf } from './session.ts';
import { facts, jsonText, plain, show, table } from './show.ts';
import { defined } from '../../../domain/defined.ts';

const VERBS: Readonly<Record<string, Verb>> = {
  publish,
  list,
  show: showTask,
  watch,
  accept,
  dispute,
  file: taskFileTo,
  amend,
  workers,
};

export const task: Command = {
  usage: 'task publish|list|show|watch|accept|dispute|file|amend|workers',
  summary: 'publishes a task with its reward in escrow; decides on results',
  options: {
    title: { type: 'string' },
    description: { type: 'string' },
    reward: { type: 'string' },
    atomic: { type: 'boolean' },
    skill: { type: 'string', multiple: true },
    contains: { type: 'string', multiple: true },
    input: { type: 'string' },
    file: { type: 'string', multiple: true },
    private: { type: 'boolean' },
    seal: { type: 'boolean' },
    open: { type: 'boolean' },
    offer: { type: 'string', multiple: true },
    'lease-hours': { type: 'string' },
    'renew-hours': { type: 'string' },
    clarify: { type: 'string' },
    deadline: { type: 'string' },
    'split-reward': { type: 'string' },
    accept: { type: 'string' },
    refuse: { type: 'string' },
    withdraw: { type: 'string' },
    output: { type: 'string' },
    reason: { type: 'string' },
    solution: { type: 'string' },
    place: { type: 'string', multiple: true },
    split: { type: 'boolean' },
    undecided: { type: 'string' },
    winner: { type: 'string', multiple: true },
    state: { type: 'string' },
    limit: { type: 'string' },
  },
  help: `hub task publish [FILE]   FILE is the body of the contract's tasks.publish, - standard input;
                          requester is filled in, and these go over what it says:
  --title TEXT --description TEXT
  --reward AMOUNT         in USDC, or in atomic units with --atomic; held from your balance now
  --skill NAME            required of the worker; repeat it for several
  --contains TEXT         a result must contain this; repeat it for several
  --input JSON            what the worker is given; @FILE reads it
  --file PATH             stores a file that belongs to the brief; repeat it for several
  --seal                  encrypts those files for you and the accounts of --offer: the hub stores
                          what it cannot read
  --private               brief, results and messages are for the parties and judges alone
  --offer ACCOUNT         this account may claim it first; repeat it for several
  --lease-hours N         how long a claim lasts without a sign of life; --renew-hours N in all
  --place BPS             basis points of the reward for a place, the first place first; repeat it
                          so that they sum to 10000
  --split                 you divide the reward among the winners at the decision
  --undecided WORD        divide or return: what your silence after the deadline does
hub task list             open work, best paid first; --state STATE, --skill NAME, --limit N
hub task show ID          one task: what it wants, what it pays, what is legal now
hub task watch ID         follows a task until it is final; exit 0 when it was paid
hub task accept ID        accepts the result that waits; --solution ID where there are several
  --winner ID[=BPS]       a result that wins a part of a divided reward, the first place first
hub task file ID DIGEST --output PATH   reads a file of the brief or of a result; --open
                          decrypts one that was sealed for this account
hub task workers SKILL    who was paid for such work: record, price, time to delivery
hub task amend ID         --reward AMOUNT, --deadline TIME or --clarify TEXT: at once or as a proposal
  --split-reward W,R      proposes to end the work: W for the worker, R back to the requester
  --accept|--refuse|--withdraw PROPOSAL   answers one
hub task dispute ID --reason TEXT   freezes the payout of an accepted result; an arbiter rules
`,
  run: (call) => runVerb('task', VERBS, call),
};

const LISTED = 20;

async function list(call: Call): Promise<ExitCode> {
  wordsOf(call);
  const given = textOf(call, 'state') ?? 'open';
  const state = TASK_STATES.find((known) => known === given);
  if (state === undefined) throw new UsageError(`--state is one of ${TASK_STATES.join(', ')}`);
  const limit = countOf(call, 'limit') ?? LISTED;
  const { skill: skills } = call.values;
  const skill = Array.isArray(skills) ? String(skills[0]) : undefined;
  const hub = await openReader(call);
  const query = { state, limit: Math.min(limit, 100), ...defined({ skill }) };
  const found: unknown[] = [];
  const rows: (readonly (string | undefined)[])[] = [];
  for await (const one of items(hub, '/api/v1/tasks', 'tasks', { params: { query } })) {
    found.push(one);
    const pays = one.reward === undefined ? 'unpaid' : usdc(one.reward.amount);
    rows.push([one.id, pays, one.requiredSkills.join(' '), one.title]);
    if (found.length >= limit) break;
  }
  show(call, found, () =>
    rows.length === 0
      ? 'There is none.\n'
      : table(call.io, ['task', 'USDC', 'skills', 'title'], rows),
  );
  return 0;
}

async function showTask(call: Call): Promise<ExitCode> {
  const [id = ''] = wordsOf(call, 'ID');
  const hub = await openReader(call);
  const found = unwrap(await hub.GET('/api/v1/tasks/{id}', { params: { path: { id } } }));
  show(call, found, () => describe(call, found));
  return 0;
}

function describe(call: Call, found: WatchedTask): string {
  const { reward, acceptance, workers, next } = found;
  const head = facts(call.io, [
    ['task', found.id],
    ['title', found.title],
    ['state', `${found.state}, ${found.paymentState}`],
    [
      'pays',
      reward === undefined
        ? 'nothing'
        : `${usdc(reward.amount)} ${reward.asset} on ${reward.network}`,
    ],
    ['requester', found.requester],
    ['skills', found.requiredSkills.join(' ') || undefined],
    ['wants', found.description],
    ['rule', acceptance === undefined ? undefined : jsonText(acceptance)],
    ['input', found.input === undefined ? undefined : jsonText(found.input)],
    ['places', placesOf(found)],
    ['deadline', found.deadline],
    ['undecided', found.atDeadline?.says],
  ]);
  const work = workers.map((one) => [one.id, one.state, one.worker]);
  const legal = next.map(({ action, who, until }) => [action, who, until?.slice(0, 19)]);
  return [
    head,
    work.length === 0 ? '' : `\n${table(call.io, ['solution', 'state', 'worker'], work)}`,
    legal.length === 0 ? '' : `\n${table(call.io, ['legal now', 'for', 'until'], legal)}`,
  ].join('');
}

/** Returns the pay of each place of a divided reward, after fees. */
function placesOf({ shares, reward }: WatchedTask): string | undefined {
  if (shares === undefined || reward === undefined) return undefined;
  if (shares.places === undefined) return 'divided by the requester at the decision';
  return shares.places.map(({ worker }) => usdc(worker)).join(', ');
}

async function watch(call: Call): Promise<ExitCode> {
  const [id = ''] = wordsOf(call, 'ID');
  const hub = await openReader(call);
  let reported = 0;
  let last: WatchedTask | undefined;
  for await (const now of watchTask(hub, id, { signal: call.io.signal })) {
    last = now;
    for (const event of now.history.slice(reported)) {
      const { at, actor = '', note = '' } = event;
      const line = `${at.slice(0, 19)}  ${event.event.padEnd(18)} ${actor} ${note}`;
      show(call, event, () => `${plain(line).trimEnd()}\n`);
    }
    reported = now.history.length;
  }
  if (last === undefined || !isFinal(last)) return 130;
  return last.state === 'paid' ? 0 : 1;
}

async function accept(call: Call): Promise<ExitCode> {
  const [id = ''] = wordsOf(call, 'ID');
  const { hub } = await openSession(call);
  const winners = winnersOf(call);
  if (winners.length > 0) return award(call, hub, id, winners);
  const found = unwrap(await hub.GET('/api/v1/tasks/{id}', { params: { path: { id } } }));
  if (found.shares !== undefined) {
    throw new UsageError(
      'several results win here; name each with --winner, the first place first',
    );
  }
  const solution = textOf(call, 'solution');
  const steps = nextCalls(hub, found, 'tasks.accept').filter(
    ({ call: { body } }) => solution === undefined || body?.['solutionId'] === solution,
  );
  const [step, another] = steps;
  if (step === undefined) {
    throw new UsageError(`task ${id} has no result to accept; it is ${found.state}`);
  }
  if (another !== undefined) {
    throw new UsageError(
      'several results wait; name one with --solution ("hub task show" has them)',
    );
  }
  const answer = await step.run();
  show(call, answer, () => `accepted  ${plain(id)}\n`);
  return 0;
}

type Winner = NonNullable<AcceptBody['winners']>[number];
type AcceptBody =
  paths['/api/v1/tasks/{id}/accept']['post']['requestBody']['content']['application/json'];

function winnersOf({ values: { winner } }: Call): readonly Winner[] {
  if (!Array.isArray(winner)) return [];
  return winner.map((given) => {
    const [solutionId = '', bps] = String(given).split('=');
    if (bps === undefined) return { solutionId };
    if (!/^[1-9]\d{0,4}$/.test(bps)) throw new UsageError('--winner takes ID, or ID=BPS');
    return { solutionId, bps: Number(bps) };
  });
}

async function award(
  call: Call,
  hub: Hub,
  id: string,
  winners: readonly Winner[],
): Promise<ExitCode> {
  const body = { requester: await ownerOf(hub), winners: [...winners] };
  const path = '/api/v1/tasks/{id}/accept';
  const answer = unwrap(await hub.POST(path, { params: { path: { id } }, body }));
  const rows = (answer.awards ?? []).map(({ place, worker, split }) => [
    String(place),
    usdc(split.worker),
    worker,
  ]);
  show(call, answer, () => table(call.io, ['place', 'USDC', 'worker'], rows));
  return 0;
}

async function dispute(call: Call): Promise<ExitCode> {
  const [id = ''] = wordsOf(call, 'ID');
  const reason = textOf(call, 'reason');
  if (reason === undefined) throw new UsageError('it lacks --reason TEXT, which is public');
  const { hub } = await openSession(call);
  const { owner } = unwrap(await hub.GET('/api/v1/me'));
  const body = { raisedBy: owner, reason };
  const path = '/api/v1/tasks/{id}/dispute';
  const answer = unwrap(await hub.POST(path, { params: { path: { id } }, body }));
  show(call, answer, () => `disputed  ${plain(id)}; the payout is frozen until an arbiter rules\n`);
  return 0;
}
