import { strict as assert } from 'node:assert';
import { need } from '../../db/batch/need.ts';
import type { Decider, Transaction } from '../../db/batch/transaction.ts';
import { HOSTED_SERVED } from '../../db/hosted/agents.ts';
import { HOSTED_CALLS } from '../../db/hosted/calls.ts';
import { KARMA_GIVEN } from '../../db/karma/karmaTables.ts';
import { CALL_ATTEMPTS } from '../../db/router/attempts.ts';
import { BREAKERS, CALLS } from '../../db/router/calls.ts';
import { LINKED } from '../../db/tasks/linkLookups.ts';
import { accountClass, type Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { fullWorth, moneyBehind, type KarmaCause } from '../../domain/karma.ts';
import { ZERO } from '../../domain/money.ts';
import { chargeOf, sayEnding, type Ending } from '../../domain/router/ending.ts';
import { closed, type Receipt } from '../../domain/router/receipt.ts';
import { tried } from '../../domain/router/select.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { hostedNote } from '../hosted/note.ts';
import { recordCauses } from '../karma/record.ts';
import { networkKind } from '../wallet/networkKind.ts';
import { endHold, readsOfEnd } from '../metering/meter.ts';
import type { CallUnderWay } from './begin.ts';
import type { EndedTurn } from './conclude.ts';
import { meterOf, servedCause } from './money.ts';
import { hostedCall, type Ended } from './remember.ts';

/**
 * The usual end of a call: the agent served, its holder is paid or the price is returned.
 */
export async function concludeServed(
  hub: Hub,
  underWay: CallUnderWay,
  ended: ServedTurn,
  elapsedMs: number,
): Promise<Receipt | undefined> {
  const cause = await causeOf(hub, underWay, ended);
  const unit = servedUnit(hub, underWay, { ...ended, elapsedMs });
  const { endpoint } = underWay.candidate;
  return hub.store.decide({
    needs: [
      ...unit.needs,
      need(BREAKERS, endpoint),
      ...(cause === undefined ? [] : [need(KARMA_GIVEN, cause)]),
    ],
    decide(db) {
      const over = unit.decide(db);
      if (over === undefined) return undefined;
      if (db.find(BREAKERS, endpoint) !== undefined) db.remove(BREAKERS, endpoint);
      if (cause !== undefined && db.find(KARMA_GIVEN, cause) === undefined) {
        recordCauses(db, hub, [cause], { at: hub.clock.now(), network: over.network });
      }
      return over;
    },
  });
}

export type ServedTurn = Ended & { readonly ending: Extract<Ending, { readonly end: 'served' }> };

/** Served, and nothing of it was paid on the chain. */
export function isPlainlyServed(
  { upstream }: CallUnderWay,
  ended: EndedTurn,
): ended is EndedTurn & ServedTurn {
  return upstream === undefined && ended.ending.end === 'served';
}

/** The holder that is paid, if anybody is. */
function payeeOf(
  { candidate, receipt }: CallUnderWay,
  { ending }: ServedTurn,
): Account | undefined {
  const held = receipt.hold?.amount ?? ZERO;
  return chargeOf(ending, held) > ZERO ? candidate.owner : undefined;
}

async function causeOf(
  hub: Hub,
  underWay: CallUnderWay,
  ended: ServedTurn,
): Promise<KarmaCause | undefined> {
  const payee = payeeOf(underWay, ended);
  if (payee === undefined || accountClass(payee) !== 'user') return undefined;
  const { receipt } = underWay;
  const cause = servedCause(receipt, payee, hub.clock.now());
  const money = moneyBehind(await networkKind(hub, receipt.network));
  return fullWorth(cause.reason, money) === 0 ? undefined : cause;
}

function servedUnit(
  hub: Hub,
  underWay: CallUnderWay,
  ended: ServedTurn & { readonly elapsedMs: number },
): Transaction<Receipt | undefined> {
  const { candidate, receipt: begun } = underWay;
  const { id, caller, operation, hold } = begun;
  const { holder, hosted, listingId } = candidate;
  const payee = payeeOf(underWay, ended);
  const shares =
    payee === undefined || hold === undefined ? [] : [{ account: payee, amount: hold.amount }];
  const meter = meterOf(begun);
  const money = hold === undefined ? [] : readsOfEnd(hub, meter, hold, shares);
  const pair =
    holder === undefined || holder === caller ? undefined : { one: holder, other: caller };
  const pay = (db: Decider, running: Receipt): Receipt => {
    const { hold: held, ...rest } = running;
    assert.equal(held?.id, hold?.id, 'the hold of a call that runs is its one writer’s');
    if (held === undefined) return rest;
    const transferId = endHold(db, hub, meter, held, shares);
    const [share] = shares;
    return share === undefined
      ? rest
      : { ...rest, cost: share.amount, paidTo: share.account, transferId };
  };
  const note = (db: Decider, paid: Receipt): void => {
    const noted = hostedCall({ ...underWay, receipt: paid }, ended);
    if (noted === undefined) return;
    const call = hostedNote(hub, noted);
    db.put(HOSTED_CALLS, call.id, call);
    const sofar = db.find(HOSTED_SERVED, call.keyId);
    if (sofar === undefined) return;
    const [served, earned] = [sofar.served + 1, sofar.earned + call.price];
    db.put(HOSTED_SERVED, call.keyId, { ...sofar, served, earned });
  };
  return {
    needs: [
      need(CALLS, id),
      ...money,
      ...(hosted === undefined ? [] : [need(HOSTED_SERVED, hosted.keyId)]),
      ...(pair === undefined ? [] : [need(LINKED, pair)]),
    ],
    decide(db) {
      const running = db.find(CALLS, id);
      if (running?.outcome !== 'running') return undefined;
      const at = hub.clock.now();
      const paid = pay(db, running);
      note(db, paid);
      const isOwn = pair === undefined ? holder === caller : db.find(LINKED, pair) !== undefined;
      const attempt = { callId: id, listingId, operation, caller, linked: isOwn, at };
      db.put(CALL_ATTEMPTS, id, { ...attempt, ended: 'ok', latencyMs: ended.latencyMs });
      const told: Receipt = {
        ...paid,
        durationMs: ended.elapsedMs,
        ...defined({ responseHash: ended.hash }),
        responseBytes: ended.bytes,
        considered: tried(paid.considered, listingId, 'It served.'),
      };
      const over = closed(told, 'served', sayEnding(ended.ending), at);
      db.put(CALLS, id, over);
      return over;
    },
  };
}
