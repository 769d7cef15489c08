import { abandonChain, createChain, followChain } from './chains.ts';
import { claim, claimNext } from './claims.ts';
import { followPanels } from './cases.ts';
import { settleTurn } from './clock.ts';
import { accept, award, cancel, reject } from './decide.ts';
import { fail, solve, start, submit } from './deliver.ts';
import { arbitrate, dispute } from './disputes.ts';
import { borrow, faucet, pay } from './money.ts';
import type { Calling, Numbered } from './operations.ts';
import { choose, pitch } from './pitches.ts';
import { publish } from './publish.ts';
import { resign, takeSeat } from './seats.ts';
import type { Attempt, Expected, Model, Pitch } from './types.ts';

export function openModel(now: number, agents: number): Model {
  return {
    now,
    agents: Array.from({ length: agents }, () => ({
      balance: 0n,
      holds: new Map<string, bigint>(),
      karma: [],
      seat: undefined,
      conduct: 'honest' as const,
      isProbedWell: true,
      grown: 0n,
    })),
    tasks: new Map(),
    chains: new Map(),
    loans: [],
    once: new Map(),
    fees: 0n,
    lent: 0n,
  };
}

/** Moves the model on; returns the answer that the hub must give, undefined for unknown things. */
export function expect(model: Model, operation: Calling): Expected | undefined {
  const atOnce = plainlyWrong(operation);
  if (atOnce !== undefined) return { refused: atOnce };
  const key = onceKey(operation);
  const content = 'key' in operation ? textOf(operation) : '';
  const before = key === undefined ? undefined : model.once.get(key);
  if (before !== undefined) {
    return before === content ? { ok: {}, repeated: true } : { refused: 'idempotency-mismatch' };
  }
  const expected = decide(model, operation);
  followAll(model);
  if (key !== undefined && expected !== undefined && 'ok' in expected) model.once.set(key, content);
  return expected;
}

export function followAll(model: Model): void {
  for (const chain of model.chains.values()) followChain(model, chain);
  for (const task of model.tasks.values()) followPanels(model, task);
}

/** Returns the code that refuses a payment before its key is looked at. */
function plainlyWrong(op: Calling): string | undefined {
  if (op.do !== 'pay' && op.do !== 'faucet') return undefined;
  if (op.amount <= 0n) return 'below-minimum';
  return op.do === 'pay' && op.by === op.to ? 'self-dealing' : undefined;
}

function onceKey(operation: Calling): string | undefined {
  if (!('key' in operation) || operation.key === undefined) return undefined;
  const name = operation.do === 'award' ? 'accept' : operation.do;
  return `${operation.by} ${name} ${operation.key}`;
}

export function textOf(operation: Numbered): string {
  return JSON.stringify({ ...operation, n: 0, dies: undefined }, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}

function decide(model: Model, op: Calling): Expected | undefined {
  switch (op.do) {
    case 'publish':
      return publish(model, op.by, op.terms, `t${op.n}`);
    case 'pay':
      return pay(model, op.by, op.to, op.amount);
    case 'faucet':
      return faucet(model, op.by, op.amount);
    case 'next':
      return claimNext(
        model,
        op.by,
        { skills: op.skills, payee: op.payee, minReward: op.minReward },
        `a${op.n}`,
      );
    case 'seat':
      return takeSeat(model, op.by, op);
    case 'resign':
      return resign(model, op.by);
    case 'submit':
    case 'fail':
      return byToken(model, op);
    case 'choose':
      return chosen(model, op);
    case 'chain':
      return createChain(model, op.by, op, `c${op.n}`);
    case 'abandon': {
      const chain = model.chains.get(op.chain);
      if (chain === undefined) return undefined;
      settleTurn(model, chain);
      return abandonChain(model, chain, op.by);
    }
    case 'accept':
    case 'award':
    case 'borrow':
    case 'cancel':
    case 'claim':
    case 'arbitrate':
    case 'dispute':
    case 'pitch':
    case 'reject':
    case 'solution':
    case 'start':
      return onTask(model, op);
  }
}

function onTask(
  model: Model,
  op: Extract<Calling, { readonly task: string }>,
): Expected | undefined {
  const task = model.tasks.get(op.task);
  if (task === undefined) return undefined;
  switch (op.do) {
    case 'claim':
      return claim(model, task, op.by, { skills: op.skills, payee: op.payee }, `a${op.n}`);
    case 'start':
      return start(model, task, op.by, `a${op.n}`);
    case 'solution':
      return solve(model, task, op.by, { good: op.good, payee: op.payee }, `a${op.n}`);
    case 'dispute':
      return dispute(model, task, op.by);
    case 'arbitrate':
      return arbitrate(model, task, op.by, op);
    case 'award': {
      const attempts = op.attempts.flatMap((name) => attemptOf(model, name) ?? []);
      if (attempts.length !== op.attempts.length) return undefined;
      return award(model, { task, by: op.by, attempts });
    }
    case 'cancel':
      return cancel(model, { task, by: op.by });
    case 'pitch':
      return pitch(model, task, op.by, op.price, `p${op.n}`);
    case 'borrow':
      return borrow(model, task, op.by, op.wanted, `l${op.n}`);
    case 'accept':
    case 'reject': {
      const attempt = op.attempt === undefined ? undefined : attemptOf(model, op.attempt);
      if (op.attempt !== undefined && attempt === undefined) return undefined;
      const named = { task, by: op.by, attempt };
      return op.do === 'accept' ? accept(model, named) : reject(model, named);
    }
  }
}

function byToken(
  model: Model,
  op: Extract<Calling, { readonly do: 'submit' | 'fail' }>,
): Expected | undefined {
  const attempt = attemptOf(model, op.attempt);
  const task = attempt && model.tasks.get(attempt.task);
  if (attempt === undefined || task === undefined || !attempt.hadToken) return undefined;
  const named = { attempt, by: op.by };
  return op.do === 'fail' ? fail(model, task, named) : submit(model, task, named, op.good);
}

function chosen(
  model: Model,
  op: Extract<Calling, { readonly do: 'choose' }>,
): Expected | undefined {
  const found = pitchOf(model, op.pitch);
  const task = found && model.tasks.get(found.task);
  return found && task && choose(model, task, op.by, found);
}

export function attemptOf(model: Model, name: string): Attempt | undefined {
  for (const { attempts } of model.tasks.values()) {
    const found = attempts.find((attempt) => attempt.name === name);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function pitchOf(model: Model, name: string): Pitch | undefined {
  for (const { pitches } of model.tasks.values()) {
    const found = pitches.find((each) => each.name === name);
    if (found !== undefined) return found;
  }
  return undefined;
}
