import { seconds } from '../instant.ts';
import { atomic, bps } from '../money.ts';

/** Every number of choices tasks.publication to tasks.settlement, and of the bonuses. */
export const HUB_BPS = bps(300);
export const JUDGES_BPS = bps(100);

/** Below this the floored fee could be dodged by splitting work (choices ledger.rounding). */
export const REWARD_MIN = atomic(1_000n);

export const DEADLINE_DEFAULT = seconds(7 * 86_400);
export const DEADLINE_MIN = seconds(300);
export const DEADLINE_MAX = seconds(90 * 86_400);
export const DISPUTE_WINDOW_DEFAULT = seconds(86_400);
export const ATTEMPTS_DEFAULT = 3;

export const LEASE = seconds(1_800);
/** Renewals stop when one claim has held the task this long. */
export const HOLDING_MAX = seconds(7_200);
/** How long a task is kept for the worker whose pitch was chosen (choices tasks.pitching). */
export const CHOSEN_TIMEOUT = seconds(3_600);
export const EXPIRY_COOLDOWN = seconds(3_600);
/** The fail that closes a task to the account. */
export const FAILS_MAX = 10;

/** A panel late by then leaves it to the requester, for this long (choices validators.fallback). */
export const PANEL_TIMEOUT = seconds(6 * 3_600);
export const DECISION_TIMEOUT = seconds(72 * 3_600);
/** A requester silent for this long after the deadline ignored the work (T26). */
export const AUTO_ACCEPT_MAX = seconds(72 * 3_600);

/** Undecided results of one open task. */
export const WAITING_MAX = 400;

/** An arbiter has a day to rule, and all of them together two (choices disputes.arbiter). */
export const ARBITER_TIMEOUT = seconds(24 * 3_600);
export const DISPUTE_LIMIT = seconds(48 * 3_600);
/** While no seat may be drawn it is tried again after this long. */
export const ARBITER_SEARCH = seconds(3_600);

/** How long the queue remembers that a requester left a delivery undecided. */
export const IGNORED_FOR = seconds(30 * 86_400);

export const RESULT_BYTES_MAX = 262_144;
export const INPUT_BYTES_MAX = 65_536;
export const DESCRIPTION_BYTES_MAX = 16_384;

/** The requests that one attempt may send to the site it works at; crawling has a tighter limit. */
export const REQUESTS_MAX = 50;
export const CRAWL_REQUESTS_MAX = 8;

export const STARTER_REWARD = atomic(50_000n);
export const STARTER_STOCK = 20;
export const STARTER_AUTO_ACCEPT = seconds(60);
/** Any text that contains it passes the starter task. */
export const WELCOME_TOKEN = 'welcome-7';

/** The welcome bonus, paid once on the real network (choices bonuses.welcome). */
export const WELCOME_AMOUNT = atomic(100_000n);
export const WELCOME_JOBS = 3;
/** The maximum of all bonuses of a UTC day, and so of the loss to sybils. */
export const WELCOME_DAY_BUDGET = atomic(10_000_000n);
/** Bonuses a UTC day for newcomers of one site, a /24 or a /56. */
export const WELCOME_SITE_DAY_MAX = 3;

export const TRIAL_TIME = seconds(600);
export const TRIALS_A_DAY = 3;

/** The reward of a house task about a listing, and the silence of its requester that accepts. */
export const DEMAND_REWARD = atomic(10_000n);
export const DEMAND_AUTO_ACCEPT = seconds(3_600);
/** A listing is not asked about again for this long. */
export const DEMAND_REST = seconds(30 * 86_400);

/** Files that a brief or a result names. */
export const TASK_FILES_MAX = 20;

/** Changes of one task's terms, proposed ones too, and the texts that they add. */
export const AMENDMENTS_MAX = 50;
export const CLARIFICATIONS_MAX = 10;

export const COMMENT_DEPTH_MAX = 8;
