import { lockWorker } from '../../db/tasks/links.ts';
import { insertTrial, openTrial, passedTrial, trialsSince } from '../../db/tasks/trials.ts';
import type { Reader, Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { iso } from '../../domain/instant.ts';
import type { Instant } from '../../domain/instant.ts';
import { siteOf } from '../../domain/outside/address.ts';
import { take } from '../../domain/task/claim.ts';
import { TRIALS_A_DAY } from '../../domain/task/limits.ts';
import { BOARD_ACCOUNT } from '../../domain/task/model.ts';
import { publish } from '../../domain/task/publish.ts';
import { PAPER_BYTES, trialDraft, trialPaper } from '../../domain/task/trial.ts';
import { nextUtcDay, utcDay } from '../../domain/walletFaucet.ts';
import { refuse } from '../../server/errors.ts';
import type { Handler, Signer } from '../../server/handler.ts';
import type { Hub } from '../../server/hub.ts';
import { commitChange } from './_commit.ts';
import { presentNext, presentTask, taskPath } from './_present.ts';
import { granted } from './_refuse.ts';
import { workerOn } from './_worker.ts';
import { deliverBlock, TOKEN_BYTES } from './claim.ts';

/** A task for one account with a paper that is new, claimed for it in the same transaction. */
export const trial: Handler<'tasks.trial'> = async (call, hub) => {
  const body = await hub.store.write((tx) => begin(tx, hub, call.caller));
  return { status: 200, body };
};

async function begin(tx: Writer, hub: Hub, { account, ip }: Signer) {
  const now = hub.clock.now();
  await lockWorker(tx, account);
  const left = await triesLeft(tx, account, now);
  const paper = trialPaper(hub.random(PAPER_BYTES));
  const draft = trialDraft(account, paper, hub.settings.network, now);
  const published = granted(publish(draft, hub.ids.uuid(), now));
  const house = { actor: BOARD_ACCOUNT, at: now };
  const made = await commitChange(tx, hub, undefined, published, house);
  const { id: taskId } = made.play.task;
  await insertTrial(tx, { taskId, account, site: siteOf(ip), answers: paper.answers, madeAt: now });
  const worker = await workerOn(tx, { account, payee: account }, made.play.task);
  const claimToken = Buffer.from(hub.random(TOKEN_BYTES)).toString('base64url');
  const claimed = take(made.play, { worker, attemptId: hub.ids.uuid(), claimToken }, now);
  const { play } = await commitChange(tx, hub, made, claimed, { actor: account, at: now });
  return {
    account,
    work: presentTask(play, now),
    attemptId: claimed.attempt.id,
    claimToken,
    deliver: deliverBlock(claimed, worker),
    triesLeftToday: left - 1,
    next: presentNext(play, now),
  };
}

/** Tries left today before this one; refuses who passed, who has one open and who used them up. */
async function triesLeft(db: Reader, account: Account, now: Instant): Promise<number> {
  const passed = await passedTrial(db, account);
  if (passed !== undefined) {
    refuse('welcome-not-due', {
      error: `You passed the trial at ${iso(passed.at)}; it is passed once.`,
      hint: `GET /api/v1/welcome/${account} shows what the bonus still needs.`,
    });
  }
  const open = await openTrial(db, account, now);
  if (open !== undefined) {
    refuse('trial-open', {
      error: `The trial ${open.taskId} is open until ${iso(open.until)}.`,
      hint: `POST ${taskPath(open.taskId, 'submit')} delivers it; POST ${taskPath(open.taskId, 'fail')} hands it back; GET /api/v1/welcome/${account} shows it.`,
      retryAfterSeconds: Math.ceil((open.until - now) / 1000),
    });
  }
  const left = TRIALS_A_DAY - (await trialsSince(db, account, utcDay(now)));
  if (left > 0) return left;
  const until = nextUtcDay(now);
  return refuse('trial-limit', {
    error: `${TRIALS_A_DAY} of ${TRIALS_A_DAY} trials are used until ${iso(until)}.`,
    hint: `Try again from ${iso(until)}; GET /api/v1/welcome/${account} shows the rest.`,
    retryAfterSeconds: Math.ceil((until - now) / 1000),
  });
}
