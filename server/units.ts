import { need, type Need } from '../db/batch/need.ts';
import type { Decider, Transaction } from '../db/batch/transaction.ts';
import { IDEMPOTENCY, once, onceIn, type OnceKey, type OnceOutcome } from '../db/idempotency.ts';
import { SpendingRefused } from '../db/ledger/judgeTaking.ts';
import { spendingOf } from '../db/spender.ts';
import type { Store, Writer } from '../db/store.ts';
import type { Account } from '../domain/account.ts';
import { defined } from '../domain/defined.ts';
import { sha256Hex } from '../domain/digest.ts';
import { canonical } from '../domain/json.ts';
import type { OnceOperation } from '../generated/operations.ts';
import { admissionNeeds, admit, admitIn } from './hub/admission.ts';
import type { ActingCall, Caller, JsonAnswer } from './hub/call.ts';
import type { Clock } from './hub/clock.ts';
import { refuseMismatch } from './hub/idempotencyMismatch.ts';
import type { Acting, Callers, Units } from './hub/hub.ts';
import { refuseSpending } from './hub/keyRuling.ts';
import { mustStay, settleSigner } from './hub/keyMoved.ts';

type Settler = Pick<Callers, 'settle' | 'settling'>;

export function openUnits(store: Store, callers: Settler, clock: Clock): Units {
  /** A unit of single statements in the name of a signer, whose nonce it takes where no one has. */
  const admitting = <T>(
    { caller }: Pick<Acting, 'caller'>,
    work: (tx: Writer) => Promise<T>,
  ): Promise<T> =>
    store
      .write(async (tx) => {
        if (caller.kind === 'signer') {
          await admitIn(tx, caller, clock.now());
          tx.spending = spendingOf(caller);
        }
        return work(tx);
      })
      .catch(refused);
  /** A transaction; `keeping` is what its work is done in. */
  const deciding = <T, R = T>(
    { caller, operation }: Acting,
    unit: Unnamed<T>,
    keeping: Keeping<T, R>,
  ): Promise<R> => {
    const signer = caller.kind === 'signer' ? caller : undefined;
    const settling = signer && callers.settling(signer.account);
    const own = [...(signer ? admissionNeeds(signer) : []), ...(settling?.needs ?? [])];
    const { startedAt } = unit;
    return store
      .decide<R>({
        name: operation,
        ...defined({ startedAt, spender: signer }),
        needs: [...own, ...keeping.needs, ...unit.needs],
        admit: (db) => signer && admit(db, signer, clock.now()),
        decide: (db) =>
          keeping.decide(db, () => {
            mustStay(signer, settling?.settle(db));
            return unit.decide(db);
          }),
      })
      .catch(refused);
  };
  return {
    act: (call, work) => admitting(call, (tx) => inName(tx, callers, call.caller, work)),
    transact: (call, unit) => deciding(call, unit, { needs: [], decide: (_, work) => work() }),
    async once(call, work) {
      const key = onceKey(call);
      const act = (tx: Writer) => inName(tx, callers, call.caller, work);
      if (key === undefined) return answer(await admitting(call, act), false);
      const unit = (tx: Writer) => once(tx, key, clock.now(), () => act(tx));
      return answerOf(key, await admitting(call, unit));
    },
    async transactOnce(call, unit) {
      const key = onceKey(call);
      const outcome = await deciding<unknown, OnceOutcome<unknown>>(call, unit, {
        needs: key === undefined ? [] : [need(IDEMPOTENCY, key)],
        decide: (db, work) =>
          key === undefined
            ? { result: work(), repeated: false }
            : onceIn(db, key, clock.now(), work),
      });
      return answerOf(key, outcome);
    },
  };
}

/** Refuses the call whose transfer the policy of its key stopped in the ledger. */
function refused(thrown: unknown): never {
  if (thrown instanceof SpendingRefused) return refuseSpending(thrown.refusal);
  throw thrown;
}

type Unnamed<T> = Omit<Transaction<T>, 'admit' | 'name'>;
interface Keeping<T, R> {
  readonly needs: readonly Need[];
  decide(db: Decider, work: () => T): R;
}

/** Runs work in the name of a signer, whose key settles where it acted (choices wallet.binding). */
async function inName<T>(
  tx: Writer,
  callers: Settler,
  caller: Caller,
  work: (tx: Writer) => Promise<T>,
): Promise<T> {
  if (caller.kind === 'signer') await settleSigner(callers, tx, caller);
  return work(tx);
}

function answerOf<Op extends OnceOperation>(
  key: OnceKey | undefined,
  outcome: OnceOutcome<unknown>,
): JsonAnswer<Op> {
  if ('mismatch' in outcome) return refuseMismatch(key?.key ?? '');
  return answer(outcome.result, outcome.repeated);
}

function answer<Op extends OnceOperation>(result: unknown, repeated: boolean): JsonAnswer<Op> {
  return { ...(result as object), repeated } as JsonAnswer<Op>;
}

/** Scope, key and digest of a once-only call; undefined when the caller gave no key. */
function onceKey<Op extends OnceOperation>(call: ActingCall<Op>): OnceKey | undefined {
  const wire = call.request.wireBody as Readonly<Record<string, unknown>> | undefined;
  const key = wire?.['idempotencyKey'];
  if (typeof key !== 'string') return undefined;
  const { idempotencyKey: _, ...said } = wire ?? {};
  return {
    account: scopeOf(call),
    operation: call.operation,
    key,
    digest: sha256Hex(canonical({ path: call.path, body: said })),
  };
}

/** The account whose money moves: the caller's, or the one an unsigned call names in its path. */
function scopeOf<Op extends OnceOperation>(call: ActingCall<Op>): Account {
  const caller: { readonly kind: string; readonly account?: Account } = call.caller;
  const named = (call.path as { readonly owner?: Account }).owner;
  const account = caller.account ?? named;
  if (account === undefined) throw new Error(`${call.operation} is once-only and names no account`);
  return account;
}
