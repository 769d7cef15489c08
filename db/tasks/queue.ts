import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { ZERO } from '../../domain/money.ts';
import type { Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import { isStarter } from '../../domain/tasks/model.ts';
import type { Task, Verification } from '../../domain/tasks/model.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader } from '../connection.ts';
import { IN_LIST, inListStatement } from '../inList.ts';
import { storedTask } from './taskRow.ts';
import type { StoredTask } from './taskRow.ts';

/** The part of the table of tasks that the claim queue reads (choices tasks.queue). */
const IN_QUEUE = `state = 'open' AND queued = 1 AND network = ? AND reward >= ? AND requester <> ?
     AND reward <= ? AND (reward < ? OR id > ?)`;
const QUEUE = statement(`
  SELECT * FROM tasks WHERE ${IN_QUEUE} ORDER BY reward DESC, id LIMIT ?`);
/** Tasks that a filter looks at behind each page, best paid first. */
const FILTERED_MAX = 5_000;
const filtered = (given: string): string => `
  SELECT tasks.* FROM (
      SELECT id AS best FROM tasks WHERE ${IN_QUEUE}
       ORDER BY reward DESC, id LIMIT ${FILTERED_MAX}) AS queue
    JOIN tasks ON tasks.id = queue.best
   WHERE (? = '' OR verification = ?)
     AND (? = '' OR auto_accept_seconds IS NOT NULL OR verification = 'automatic')
     AND (? = '' OR EXISTS (SELECT 1 FROM task_labels
       WHERE kind = 'tag' AND label ${given} AND task_id = tasks.id))
   ORDER BY reward DESC, id LIMIT ?`;
const FILTERED = statement(filtered(IN_LIST.sqlite), filtered(IN_LIST.postgres));
const REWARD_MAX = '9223372036854775807';

/** The filters of a worker on queued tasks beside reward and skills. */
export interface QueueFilter {
  readonly verification?: Verification;
  /** In lower case; a task with one of them fits. */
  readonly tags?: readonly string[];
  /** Only tasks that the silence of their requester cannot leave undecided. */
  readonly autoAccept?: boolean;
}

/**
 * Tasks that the claim queue may offer, best paid first, then oldest (choices tasks.queue). A page
 * begins after a task, not after a number of them, which tasks that leave the queue would shift.
 */
export async function queuedTasks(
  db: Reader,
  wanted: QueueFilter & {
    readonly network: NetworkId;
    readonly minReward: string;
    readonly notBy: Account;
    readonly limit: number;
    readonly after: Task | undefined;
  },
): Promise<readonly StoredTask[]> {
  const { network, minReward, notBy, limit, after, verification = '', tags = [] } = wanted;
  const { autoAccept = false } = wanted;
  const reward = `${after?.reward?.amount ?? REWARD_MAX}`;
  const place = [network, minReward, notBy, reward, reward, after?.id ?? ''];
  if (verification === '' && tags.length === 0 && !autoAccept) {
    return (await linkOf(db).rows(QUEUE, [...place, limit])).map(storedTask);
  }
  const asked = [verification, verification, autoAccept ? 'yes' : '', tags.join(' '), tags];
  return (await linkOf(db).rows(FILTERED, [...place, ...asked, limit])).map(storedTask);
}

/** Whether a task is what was asked for; the statement above says the same. */
export function isAsked(
  task: Pick<QueuedHead, 'verification' | 'tags' | 'autoAccepts'>,
  { verification, tags, autoAccept }: QueueFilter,
): boolean {
  if (verification !== undefined && task.verification !== verification) return false;
  if (autoAccept === true && !task.autoAccepts && task.verification !== 'automatic') return false;
  return tags === undefined || tags.length === 0 || tags.some((tag) => task.tags.includes(tag));
}

const HEADS = statement(`
  SELECT id, requester, reward, required_skills, tags, verification, auto_accept_seconds, chain_id
    FROM tasks
   WHERE state = 'open' AND queued = 1 AND network = ?
   ORDER BY reward DESC, id LIMIT ?`);

/** The columns by which most workers can exclude a queued task. */
export interface QueuedHead {
  readonly id: string;
  readonly requester: Account;
  readonly reward: Atomic;
  readonly requiredSkills: readonly string[];
  readonly tags: readonly string[];
  readonly verification: string;
  readonly autoAccepts: boolean;
  /** Whether who may have it hangs on other tasks too: a starter task, or a step of a chain. */
  readonly isRare: boolean;
}

export async function queuedHeads(
  db: Reader,
  network: NetworkId,
  limit: number,
): Promise<readonly QueuedHead[]> {
  const rows = await linkOf(db).rows(HEADS, [network, limit]);
  return rows.map((row) => {
    const requester = column.account(row, 'requester');
    const tags = column.json(row, 'tags') as readonly string[];
    return {
      id: column.text(row, 'id'),
      requester,
      tags,
      reward: column.amountOrNull(row, 'reward') ?? ZERO,
      requiredSkills: column.json(row, 'required_skills') as readonly string[],
      verification: column.text(row, 'verification'),
      autoAccepts: row['auto_accept_seconds'] !== null,
      isRare: row['chain_id'] !== null || isStarter({ requester, tags }),
    };
  });
}

export function headOf(task: Task): QueuedHead {
  const { id, requester, reward, requiredSkills, tags, verification, windows, chain } = task;
  return {
    id,
    requester,
    requiredSkills,
    tags,
    verification,
    reward: reward?.amount ?? ZERO,
    autoAccepts: windows.autoAcceptSeconds !== undefined,
    isRare: chain !== undefined || isStarter(task),
  };
}

const IGNORED = inListStatement(
  (given) => `
  SELECT subject, COUNT(*) AS n FROM karma_entries
   WHERE subject ${given} AND reason = 'delivery.ignored' AND at >= ? GROUP BY subject`,
);

/** Deliveries that each of these requesters left undecided since; those with none are absent. */
export async function ignoredBy(
  db: Reader,
  requesters: readonly Account[],
  since: Instant,
): Promise<ReadonlyMap<Account, number>> {
  if (requesters.length === 0) return new Map();
  const rows = await linkOf(db).rows(IGNORED, [[...new Set(requesters)], since]);
  return new Map(rows.map((row) => [column.account(row, 'subject'), Number(row['n'])]));
}
