import { decisionsForOperator } from '../../db/moderation/decisions.ts';
import type { Writer } from '../../db/store.ts';
import { iso } from '../../domain/instant.ts';
import {
  ANSWER_LENGTH_MAX,
  REASON_LENGTH_MAX,
  type Decision,
} from '../../domain/moderation/decision.ts';
import { answerDecision, banAccount, hideSubject, type Decided } from '../../workflows/index.ts';
import { readSettings } from '../boot/config.ts';
import { openIds } from '../../workflows/kernel/ids.ts';
import { systemClock } from '../../workflows/kernel/systemClock.ts';
import {
  inDatabase,
  printable,
  printed,
  type Command,
  type Environment,
  type Print,
} from './command.ts';

const SHOWN_MAX = 100;
const hub = { clock: systemClock, ids: openIds(systemClock) };

/** `hubctl ban KEY REASON`: the account begins nothing new; its money stays its own. */
export const ban: Command = async ([name, reason, ...more], env, print) => {
  if (name === undefined || more.length > 0 || !isText(reason, REASON_LENGTH_MAX)) return undefined;
  return decide(env, print, (tx) => banAccount(hub, tx, { name, reason }));
};

/** `hubctl hide KIND ID REASON`: takes a listing or a text out of every answer. */
export const hide: Command = async ([subject, id, reason, ...more], env, print) => {
  if (subject === undefined || id === undefined) return undefined;
  if (more.length > 0 || !isText(reason, REASON_LENGTH_MAX)) return undefined;
  return decide(env, print, (tx) => hideSubject(hub, tx, { subject, id, reason }));
};

/** `hubctl lift DECISION ANSWER` and `hubctl uphold DECISION ANSWER` answer an appeal. */
export const lift: Command = (words, env, print) => answer(words, env, print, true);
export const uphold: Command = (words, env, print) => answer(words, env, print, false);

async function answer(
  [id, text, ...more]: readonly string[],
  env: Environment,
  print: Print,
  lifts: boolean,
): Promise<0 | 1 | 2 | undefined> {
  if (id === undefined || more.length > 0 || !isText(text, ANSWER_LENGTH_MAX)) return undefined;
  return decide(env, print, (tx) => answerDecision(hub, tx, { id, text, lift: lifts }));
}

function isText(text: string | undefined, lengthMax: number): text is string {
  return text !== undefined && text.trim() !== '' && text.length <= lengthMax;
}

function decide(
  env: Environment,
  print: Print,
  work: (tx: Writer) => Promise<Decided>,
): Promise<0 | 1 | 2> {
  return inDatabase(readSettings(env), print, async (store) =>
    printed(await store.write(work), print),
  );
}

/** `hubctl decisions`: appeals that wait for an answer first, then the newest decisions. */
export const decisions: Command = async (words, env, print) => {
  if (words.length > 0) return undefined;
  return inDatabase(readSettings(env), print, async (store) => {
    const found = await store.readOne((db) => decisionsForOperator(db, SHOWN_MAX));
    for (const each of found) print(`${lines(each).join('\n')}\n`);
    if (found.length === 0) print('there is no decision\n');
    return 0;
  });
};

function lines(decision: Decision): readonly string[] {
  const { id, kind, subject, subjectId, account, reason, at, liftedAt, appeal } = decision;
  const state = liftedAt === undefined ? 'stands' : `lifted ${iso(liftedAt)}`;
  const whose = account === undefined || account === subjectId ? '' : ` of ${account}`;
  return [
    `${id}  ${iso(at)}  ${kind} ${subject} ${printable(subjectId)}${whose}  ${state}`,
    `  reason ${printable(reason)}`,
    ...(appeal ? [`  appeal ${iso(appeal.at)} ${printable(appeal.text)}`] : []),
    ...(decision.answer ? [`  answer ${printable(decision.answer.text)}`] : []),
  ];
}
