import { need, type Need } from '../../db/batch/need.ts';
import type { Decider, Transaction } from '../../db/batch/transaction.ts';
import { IDEMPOTENCY, once, onceIn, type OnceKey, type OnceOutcome } from '../../db/idempotency.ts';
import { SpendingRefused } from '../../db/ledger/judgeTaking.ts';
import { spendingOf } from '../../db/spender.ts';
import type { Store, Writer } from '../../db/store.ts';
import { defined } from '../../domain/defined.ts';
import { isObject } from '../../domain/jsonObject.ts';
import { operationTable, type OnceOperation } from '../../generated/operations.ts';
import { admissionNeeds, admit, admitIn } from '../../workflows/kernel/admission.ts';
import type { ActingCall, Caller, JsonAnswer } from '../../workflows/kernel/call.ts';
import type { Clock } from '../../workflows/kernel/clock.ts';
import { refuseMismatch } from '../../workflows/kernel/idempotencyMismatch.ts';
import type { Acting, Callers, Units } from '../../workflows/kernel/hub.ts';
import { refuseSpending } from '../../workflows/kernel/keyRuling.ts';
import { encodeAnswer } from '../../workflows/kernel/encode.ts';
import { onceKey } from '../../workflows/kernel/onceKey.ts';
import { mustStay, settleSigner } from '../../workflows/kernel/keyMoved.ts';

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
      const key = onceKey(call, clock.now());
      const act = async (tx: Writer): Promise<unknown> =>
        encodeAnswer(call.operation, await inName(tx, callers, call.caller, work));
      if (key === undefined) return answerOf(call, key, first(await admitting(call, act)));
      const unit = (tx: Writer) => once(tx, key, clock.now(), () => act(tx));
      return answerOf(call, key, await admitting(call, unit));
    },
    async transactOnce(call, unit) {
      const key = onceKey(call, clock.now());
      const outcome = await deciding<unknown, OnceOutcome<unknown>>(call, unit, {
        needs: key === undefined ? [] : [need(IDEMPOTENCY, key)],
        decide(db, work) {
          const encoded = (): unknown => encodeAnswer(call.operation, work());
          return key === undefined ? first(encoded()) : onceIn(db, key, clock.now(), encoded);
        },
      });
      return answerOf(call, key, outcome);
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
  { operation }: Pick<ActingCall<Op>, 'operation'>,
  key: OnceKey | undefined,
  outcome: OnceOutcome<unknown>,
): JsonAnswer<Op> {
  if ('mismatch' in outcome) return refuseMismatch(key?.key ?? '');
  const { result, repeated } = outcome;
  // An answer that has no such member is the first one as it was.
  const says = operationTable[operation].idempotent === true || (repeated && saysRepeated(result));
  return (says ? { ...(result as object), repeated } : result) as JsonAnswer<Op>;
}

function first(result: unknown): OnceOutcome<unknown> {
  return { result, repeated: false };
}

function saysRepeated(result: unknown): boolean {
  return isObject(result) && 'repeated' in result;
}
