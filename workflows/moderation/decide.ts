import {
  insertDecision,
  liftDecision,
  lockDecision,
  saveAnswer,
} from '../../db/moderation/decisions.ts';
import { holderOfSubject } from '../../db/moderation/subjects.ts';
import { ownKey, settleKey } from '../../db/wallet/homes.ts';
import { accountOfKey } from '../../db/wallet/keys.ts';
import type { Writer } from '../../db/store.ts';
import { keyAccount, parseAccount, parseKeyId, type Account } from '../../domain/account.ts';
import { HIDEABLE, type Decision } from '../../domain/moderation/decision.ts';
import type { Ambient } from '../kernel/hub.ts';

/** The outcome of an operator's command, or the reason why it cannot be done. */
export type Decided = { readonly done: string } | { readonly refused: string };
type Deciding = Pick<Ambient, 'clock' | 'ids'>;

/** Bans the account of a key or a paying wallet. */
export async function banAccount(
  hub: Deciding,
  tx: Writer,
  { name, reason }: { readonly name: string; readonly reason: string },
): Promise<Decided> {
  const account = name.startsWith('evm:')
    ? parseAccount(name.toLowerCase())
    : await settledAccount(hub, tx, name);
  if (account === undefined) {
    return { refused: `${name} is no account: give a key id, key:… or evm:0x…` };
  }
  const subject = { subject: 'account', subjectId: account } as const;
  return record(hub, tx, { kind: 'ban', ...subject, account, reason });
}

/** The account of a key, which is settled there, so it cannot leave for another account. */
async function settledAccount(
  { clock }: Deciding,
  tx: Writer,
  name: string,
): Promise<Account | undefined> {
  const keyId = parseKeyId(name.replace(/^key:/, ''));
  if (keyId === undefined) return undefined;
  const named = (await accountOfKey(tx, keyId)) ?? keyAccount(keyId);
  const own = ownKey(named);
  return own === undefined ? named : settleKey(tx, own, named, clock.now());
}

export async function hideSubject(
  hub: Deciding,
  tx: Writer,
  {
    subject,
    id,
    reason,
  }: { readonly subject: string; readonly id: string; readonly reason: string },
): Promise<Decided> {
  const kind = HIDEABLE.find((each) => each === subject);
  if (kind === undefined) return { refused: `${subject} is not one of ${HIDEABLE.join(', ')}` };
  const holder = await holderOfSubject(tx, kind, id);
  if (holder === undefined) return { refused: `there is no ${kind} ${id}` };
  return record(hub, tx, { kind: 'hide', subject: kind, subjectId: id, ...holder, reason });
}

async function record(
  hub: Deciding,
  tx: Writer,
  decision: Omit<Decision, 'id' | 'at'>,
): Promise<Decided> {
  const id = hub.ids.uuid();
  if (await insertDecision(tx, { ...decision, id, at: hub.clock.now() })) {
    return { done: `decision ${id} applies within two seconds; hubctl lift ${id} ANSWER ends it` };
  }
  return { refused: 'a decision about it stands already; hubctl decisions lists it' };
}

/** Answers a decision, and its appeal if there is one; `lift` ends it as well. */
export async function answerDecision(
  hub: Deciding,
  tx: Writer,
  { id, text, lift }: { readonly id: string; readonly text: string; readonly lift: boolean },
): Promise<Decided> {
  const found = await lockDecision(tx, id);
  if (found === undefined) return { refused: `there is no decision ${id}` };
  if (found.liftedAt !== undefined) return { refused: 'it was lifted already' };
  if (!lift && found.appeal === undefined) return { refused: 'there is no appeal against it' };
  if (!lift && found.answer !== undefined) return { refused: 'its appeal was answered already' };
  const at = hub.clock.now();
  await saveAnswer(tx, id, { text, at });
  if (lift) await liftDecision(tx, id, at);
  return { done: lift ? 'it ends within two seconds' : 'the appeal is answered; it stands' };
}
