import type { Knex } from 'knex';
import type { DialectTypes, Migration } from '../migration.ts';

/** Accounts that are one party, as `db/tasks/links.ts` decides it. */
const HOME_OF = (name: string): string =>
  `(SELECT account FROM keys WHERE key_id = substr(${name}, 5))`;
const ARE_LINKED = `t.requester = a.worker
  OR ${HOME_OF('t.requester')} = a.worker OR ${HOME_OF('a.worker')} = t.requester
  OR EXISTS (SELECT 1 FROM account_links p JOIN account_links o ON o.shared = p.shared
    WHERE p.account = a.worker AND o.account = t.requester)`;

/** Attempts of a worker that are looked at, the newest. */
const OF_WORKER_MAX = 500;
const WORKERS = `SELECT DISTINCT worker FROM attempts
  WHERE worker > ? AND state IN ('accepted', 'rejected', 'lapsed') ORDER BY worker LIMIT 200`;
const ENDS = `
  SELECT a.state, a.started_at, a.delivered_at, a.ended_at, a.award, t.state AS task_state,
      t.requester, t.network, t.reward, t.required_skills, t.tags
    FROM attempts a JOIN tasks t ON t.id = a.task_id
   WHERE a.worker = ? AND t.reward IS NOT NULL AND t.requester NOT LIKE 'hub:%'
     AND (a.state IN ('rejected', 'lapsed') OR (a.state = 'accepted' AND t.state = 'paid'))
     AND CASE WHEN ${ARE_LINKED} THEN 1 ELSE 0 END = 0
   ORDER BY a.id DESC LIMIT ${OF_WORKER_MAX}`;

interface End {
  readonly state: 'accepted' | 'rejected' | 'lapsed';
  readonly requester: string;
  readonly network: string;
  readonly required_skills: string;
  readonly tags: string;
}
type Cells = Readonly<Record<string, number | string | null>>;

interface Figures {
  readonly counts: Record<'paid' | 'rejected' | 'lapsed', number>;
  earned: bigint;
  lastPaidAt: number | null;
  recent: { by: string; outcome: string; reward: number; seconds: number; at: number }[];
}

/** Figures of workers by label and network (choices tasks.figures), of old attempts as well. */
export const workerFigures = {
  name: '0062_worker_figures',
  async up(knex: Knex, { int, text, strictKeyed }: DialectTypes): Promise<void> {
    await knex.raw(`
      CREATE TABLE worker_figures (
        worker ${text} NOT NULL,
        network ${text} NOT NULL,
        label ${text} NOT NULL,
        changes ${int} NOT NULL,
        paid ${int} NOT NULL CHECK (paid >= 0),
        rejected ${int} NOT NULL CHECK (rejected >= 0),
        lapsed ${int} NOT NULL CHECK (lapsed >= 0),
        earned ${int} NOT NULL CHECK (earned >= 0),
        last_paid_at ${int},
        recent ${text} NOT NULL,
        PRIMARY KEY (worker, network, label),
        CHECK ((paid = 0) = (last_paid_at IS NULL))
      ) ${strictKeyed}`);
    await knex.raw(`
      CREATE INDEX worker_figures_earned ON worker_figures (network, label, earned DESC, worker)
        WHERE paid > 0`);
    for (let last = ''; ;) {
      const workers = await rowsOf(knex, WORKERS, last);
      for (const { worker } of workers) await fill(knex, String(worker));
      const next = workers.at(-1)?.['worker'];
      if (next === undefined || next === null) return;
      last = String(next);
    }
  },
} satisfies Migration;

async function rowsOf(knex: Knex, sql: string, value: string): Promise<readonly Cells[]> {
  const answer = await knex.raw<readonly Cells[] | { readonly rows: readonly Cells[] }>(sql, value);
  return 'rows' in answer ? answer.rows : answer;
}

async function fill(knex: Knex, worker: string): Promise<void> {
  const found = new Map<string, Figures>();
  const ends = [...(await rowsOf(knex, ENDS, worker))].reverse() as unknown as readonly (End &
    Cells)[];
  for (const end of ends) {
    for (const label of labelsOf(end)) add(found, `${end.network} ${label}`, end);
  }
  for (const [key, { counts, earned, lastPaidAt, recent }] of found) {
    const at = key.indexOf(' ');
    await knex('worker_figures').insert({
      worker,
      network: key.slice(0, at),
      label: key.slice(at + 1),
      changes: 1,
      ...counts,
      earned: `${earned}`,
      last_paid_at: lastPaidAt,
      recent: JSON.stringify(recent),
    });
  }
}

function labelsOf({ required_skills: skills, tags }: End): readonly string[] {
  const all = [...(JSON.parse(skills) as string[]), ...(JSON.parse(tags) as string[])];
  const clean = all.map((label) => label.normalize('NFKC').trim().toLowerCase());
  return ['', ...[...new Set(clean)].slice(0, 5)];
}

function add(found: Map<string, Figures>, key: string, end: End & Cells): void {
  const counts = { paid: 0, rejected: 0, lapsed: 0 };
  const row = found.get(key) ?? { counts, earned: 0n, lastPaidAt: null, recent: [] };
  found.set(key, row);
  const outcome = end.state === 'accepted' ? 'paid' : end.state;
  const started = Number(end['started_at']);
  const at = Number(end['ended_at'] ?? end['delivered_at'] ?? started);
  const recently = ({ by, outcome: was, at: then }: Figures['recent'][number]): boolean =>
    by === end.requester && was === outcome && then > at - 90 * 86_400_000;
  if (row.recent.filter(recently).length >= 3) return;
  const reward = Number(end['award'] ?? end['reward']);
  const delivered = Number(end['delivered_at'] ?? at);
  const seconds = Math.max(0, Math.round((delivered - started) / 1_000));
  row.recent = [...row.recent, { by: end.requester, outcome, reward, seconds, at }].slice(-20);
  row.counts[outcome] += 1;
  if (outcome !== 'paid') return;
  row.earned += BigInt(reward);
  row.lastPaidAt = at;
}
