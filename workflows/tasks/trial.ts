import { decideIn } from '../../db/batch/inside.ts';
import type { Reader, Writer } from '../../db/store.ts';
import { lockWorker } from '../../db/tasks/links.ts';
import { TRIALS, trialsSince, passedTrial, openTrial } from '../../db/tasks/trials.ts';
import { type Instant, iso } from '../../domain/instant.ts';
import type { Account } from '../../domain/account.ts';
import { siteOf } from '../../domain/outbound/address.ts';
import { take } from '../../domain/tasks/claim.ts';
import { TRIALS_A_DAY } from '../../domain/tasks/limits.ts';
import { BOARD_ACCOUNT } from '../../domain/tasks/model.ts';
import { NO_LOAN } from '../../domain/settlement.ts';
import { publish } from '../../domain/tasks/publish.ts';
import { trialPaper, PAPER_BYTES, trialDraft } from '../../domain/tasks/trial.ts';
import { utcDay, nextUtcDay } from '../../domain/walletFaucet.ts';
import type { Taken } from './claim.ts';
import { claimToken } from './claimToken.ts';
import { refuse } from '../kernel/errors.ts';
import type { Signer } from '../kernel/call.ts';
import type { Hub } from '../kernel/hub.ts';
import { commitChange } from './commit.ts';
import { taskPath } from './nextActions.ts';
import { orRefuse } from './refuse.ts';
import { workerIn } from './worker.ts';

/** A trial in the hands of the account that asked for it. */
export interface TrialTaken extends Taken {
  readonly triesLeftToday: number;
}

/** Publishes a task with a new paper for one account and claims it for that account. */
export async function beginTrial(
  tx: Writer,
  hub: Hub,
  { account, ip }: Signer,
): Promise<TrialTaken> {
  const now = hub.clock.now();
  await lockWorker(tx, account);
  const left = await triesLeft(tx, account, now);
  const paper = trialPaper(hub.random(PAPER_BYTES));
  const draft = trialDraft(account, paper, hub.settings.network, now);
  const published = orRefuse(publish(draft, hub.ids.uuid(), now));
  const who = { account, payee: account };
  const taken = await decideIn(tx, {
    needs: [],
    decide(db): Taken {
      const house = { actor: BOARD_ACCOUNT, at: now };
      const made = commitChange(db, hub, undefined, published, house);
      const { task } = made.aggregate;
      const trial = { taskId: task.id, account, site: siteOf(ip), answers: paper.answers };
      db.insert(TRIALS, task.id, { ...trial, madeAt: now });
      const { worker } = workerIn(db, who, task, { taskId: task.id, offeredBy: task.requester });
      const token = (of: { readonly id: string }) => claimToken(hub, of);
      const claimed = take(made.aggregate, { worker, attemptId: db.newId(hub.ids), token }, now);
      const { aggregate } = commitChange(db, hub, made, claimed, { actor: account, at: now });
      // A trial is unpaid: nothing is collected from it.
      return { aggregate, claimed, worker, at: now, owed: NO_LOAN, record: undefined };
    },
  });
  return { ...taken, triesLeftToday: left - 1 };
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
