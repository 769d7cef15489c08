import type { DecisionCounts } from '../../db/moderation/decisions.ts';
import type { Figures } from '../../db/operator/figures.ts';
import type { Pause } from '../../db/operator/pause.ts';
import type { ReportedListing } from '../../db/registry/reports.ts';
import { iso, instant, type Instant } from '../../domain/instant.ts';
import type { JobReport } from '../jobs/driver.ts';
import type { Alert } from '../boot/log.ts';
import { html, page, PAGE_HEADERS, type Html } from '../pages/html.ts';
import { head } from '../../domain/text.ts';

/** Headers of the operator's page, which is never stored and whose form goes to the hub alone. */
export const ADMIN_HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': PAGE_HEADERS['content-security-policy'].replace(
    "form-action 'none'",
    "form-action 'self'",
  ),
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // Without it a browser sends `Origin: null`, which names no page.
  'referrer-policy': 'same-origin',
};

export interface AdminFacts {
  readonly now: Instant;
  readonly pause: Pause | undefined;
  /** Since when this process moves no money, for any cause. */
  readonly frozen: Instant | undefined;
  /** When the newest backup was made, by `hubctl backup` or by another program that noted it. */
  readonly backedUpAt: Instant | undefined;
  readonly figures: Figures;
  readonly decisions: DecisionCounts;
  readonly reports: readonly ReportedListing[];
  readonly jobs: readonly JobReport[];
  readonly alerts: readonly Alert[];
}

const TEXT_LENGTH_MAX = 300;
const LEVELS: Readonly<Record<number, string>> = { 40: 'warn', 50: 'error', 60: 'fatal' };

export function adminPage(facts: AdminFacts): string {
  const { now, backedUpAt, jobs, reports, alerts } = facts;
  return page(
    'Admin',
    html`<h1>Admin</h1>
      <p>The state at ${iso(now)}, of the database and of the process that answered.</p>
      ${money(facts)}
      <h2>Backups</h2>
      <p>
        ${
          backedUpAt === undefined
            ? 'No backup was made yet.'
            : html`The newest backup was made ${ago(backedUpAt, now)}.`
        }
        <code>hubctl backup FOLDER</code> makes one while the hub runs, and prints what it holds.
      </p>
      <h2>Queues</h2>
      ${table('Queues', ['Queue', 'Now'], queues(facts))}
      <h2>Jobs</h2>
      ${table(
        'Jobs',
        ['Job', 'State', 'Last run', 'Error'],
        jobs.map((job) => [
          inWords(job.name),
          stateOf(job),
          job.lastRunAt === undefined ? '' : ago(job.lastRunAt, now),
          head(job.lastError ?? '', TEXT_LENGTH_MAX),
        ]),
      )}
      <h2>Open reports of listings</h2>
      ${table(
        'Open reports of listings',
        ['Listing', 'Reports', 'Reason', 'Text'],
        reports.map(({ report, name, origin, openReports }) => [
          head(`${name} at ${origin}`, TEXT_LENGTH_MAX),
          openReports,
          report.reason,
          head(report.text ?? '', TEXT_LENGTH_MAX),
        ]),
      )}
      <h2>Newest warnings and errors</h2>
      ${table(
        'Newest warnings and errors',
        ['Time', 'Level', 'Text'],
        alerts.map(({ at, level, text }) => [ago(instant(at), now), LEVELS[level] ?? level, text]),
      )}`,
  );
}

/** `autoAccept` is the name of a job in the code and in its metrics. */
function inWords(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function stateOf({ lastRunAt, lastError }: JobReport): string {
  if (lastError !== undefined) return 'failed';
  return lastRunAt === undefined ? 'not yet' : 'works';
}

const AGES = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** An age in its largest unit, with the moment itself for the hand that rests on it. */
function ago(at: Instant, now: Instant): Html {
  const seconds = Math.max(0, Math.round((now - at) / 1_000));
  const [size, unit] = AGES.find(([each]) => seconds >= each) ?? [1, 's'];
  const text = `${Math.floor(seconds / size)} ${unit} ago`;
  return html`<time datetime="${iso(at)}" title="${iso(at)}">${text}</time>`;
}

/** The first press opens what happens, and the second one inside of it does it. */
function money({ pause, frozen }: AdminFacts): Html {
  if (pause !== undefined) {
    return html`<p class="figure">Money is frozen</p>
      <p>Money is frozen since ${iso(pause.since)}: ${pause.reason}</p>
      <details>
        <summary>Let money move again</summary>
        <p>Payments, claims, bets and payouts that wait happen within two seconds.</p>
        <form method="post">
          <button name="action" value="thaw">Yes, let money move</button>
        </form>
      </details>`;
  }
  const state =
    frozen === undefined
      ? 'Payments, claims, bets and payouts happen.'
      : `This process froze money at ${iso(frozen)}, because its books are wrong: hubctl audit.`;
  return html`<p class="figure">${frozen === undefined ? 'Money moves' : 'Money is frozen'}</p>
    <p>${state}</p>
    <details>
      <summary>Freeze all money</summary>
      <p>
        No payment, claim, bet or payout happens until you let money move again. Reading goes on,
        and every page shows the reason.
      </p>
      <form method="post">
        <label>Reason <input name="reason" required maxlength="300" /></label>
        <button name="action" value="freeze">Yes, freeze all money</button>
      </form>
    </details>`;
}

type Cell = string | number | Html;

function queues({ figures, decisions }: AdminFacts): readonly (readonly Cell[])[] {
  const { listings, tasks, calls, ...counts } = figures;
  const { pulseAgeMs, unsealed, minutesMissed, crawlsDue } = counts;
  const each = (what: string, values: ReadonlyMap<string, number>) =>
    [...values].map(([name, n]) => [`${what}: ${name}`, n]);
  return [
    [
      'Seconds since the newest pulse',
      pulseAgeMs === undefined ? '' : Math.round(pulseAgeMs / 1e3),
    ],
    ['Minutes without a pulse', minutesMissed],
    ['Transfers that no block covers', unsealed],
    ['Origins that wait for the crawler', crawlsDue],
    ['Appeals without an answer', decisions.appealsOpen],
    ['Accounts that are banned', decisions.bans],
    ['Listings and texts that are hidden', decisions.hidden],
    ...each('Tasks', tasks),
    ...each('Listings', listings),
    ...each('Calls of the last hour', calls),
  ];
}

/** Scrolls in a box of its own on a narrow page, by keyboard as well. */
function table(label: string, head: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  if (rows.length === 0) return html`<p>None.</p>`;
  return html`<div class="scrolled" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${head.map((cell) => html`<th scope="col">${cell}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
