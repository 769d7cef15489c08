import { iso, type Instant } from '../instant.ts';
import { answers, type Listing } from './listing.ts';
import type { CrawlStep, CrawlStepOutcome, Target } from './target.ts';
import { tellingOf } from './telling.ts';
import type { AskedAddress } from './turns.ts';

/** Why a server is found or not (choices registry.not-found): the conditions in their order. */
type CheckName = 'named' | 'probed' | 'answered' | 'listed' | 'shown' | 'trusted';

interface DiagnosisCheck {
  readonly check: CheckName;
  readonly holds: boolean;
  readonly says: string;
  readonly fix?: string;
}

export interface Diagnosed {
  readonly verdict: 'found' | 'hidden' | 'not-listed' | 'waiting' | 'unknown';
  readonly checks: readonly DiagnosisCheck[];
}

/** When an address that was not asked yet will be. */
export interface NextTurn {
  readonly at: Instant;
  /** Addresses of the origin that are asked before it. */
  readonly ahead: number;
  /** Addresses that one look at the origin asks. */
  readonly perLook: number;
  /** A look at the origin is under way. */
  readonly isLooking: boolean;
}

export interface Facts {
  readonly url: string;
  readonly target: Target | undefined;
  /** Feeds that named this address, the first one first. */
  readonly feeds: readonly { readonly feed: string; readonly firstAt: Instant }[];
  /** Addresses of the origin that feeds named. */
  readonly ofOrigin: number;
  readonly submittedAt: Instant | undefined;
  /** The last time that this address was asked. */
  readonly asked: AskedAddress | undefined;
  readonly turn: NextTurn | undefined;
  /** The listing of this very address, or of its origin when the address is one. */
  readonly listing: Listing | undefined;
  /** It quoted a price over x402. */
  readonly isSeller: boolean;
  /** Listings of the origin at other addresses. */
  readonly others: readonly string[];
}

export function diagnose(facts: Facts): Diagnosed {
  const { listing, asked } = facts;
  const isFound = listing !== undefined || facts.isSeller;
  const named = namedCheck(facts);
  if (!named.holds) return { verdict: 'unknown', checks: [named] };
  const checks = [named];
  const silence = asked === undefined ? silenceOf(facts) : undefined;
  if (asked !== undefined || !isFound) {
    const probed = silence ?? probedCheck(facts);
    checks.push(probed);
    if (!probed.holds && !isFound) {
      return { verdict: silence === undefined ? 'waiting' : 'not-listed', checks };
    }
  }
  if (asked !== undefined) checks.push(answeredCheck(asked));
  checks.push(listedCheck(facts));
  if (listing === undefined) return { verdict: isFound ? 'found' : 'not-listed', checks };
  checks.push(shownCheck(listing), trustedCheck(listing));
  return { verdict: answers(listing.availability) ? 'found' : 'hidden', checks };
}

function check(name: CheckName, holds: boolean, says: string, fix: string): DiagnosisCheck {
  return { check: name, holds, says, ...(!holds && { fix }) };
}

function namedCheck(facts: Facts): DiagnosisCheck {
  const { url, feeds, submittedAt, asked, listing, isSeller, ofOrigin, target } = facts;
  const [first] = feeds;
  const ways = [
    ...(submittedAt === undefined ? [] : [`It was submitted at ${iso(submittedAt)}.`]),
    ...(first === undefined ? [] : [`${first.feed} named it first at ${iso(first.firstAt)}.`]),
  ];
  const isKnown = asked !== undefined || listing !== undefined || isSeller;
  const found = isKnown ? 'The crawler found it at the origin by itself.' : undefined;
  const others =
    target === undefined && ofOrigin === 0
      ? ''
      : ` Of its origin ${target?.hints.length ?? ofOrigin} other addresses were named.`;
  const says =
    ways.length > 0
      ? ways.join(' ')
      : (found ?? `No feed and no submission named this address.${others}`);
  const fix = `Submit it: POST /api/v1/agents {"url":"${url}"}.`;
  return check('named', ways.length > 0 || isKnown, says, fix);
}

/** The way to an earlier look (choices registry.submissions). */
const LOOK_NOW = 'Signed, POST /api/v1/agents has it looked at at once, six times an hour.';

function probedCheck({ asked, turn }: Facts): DiagnosisCheck {
  if (asked !== undefined) {
    return check('probed', true, `The crawler asked it at ${iso(asked.askedAt)}.`, '');
  }
  const says = `The crawler has not asked this address yet.${turnWords(turn)}`;
  const fix = turn === undefined ? LOOK_NOW : `Wait until ${iso(turn.at)}. ${LOOK_NOW}`;
  return check('probed', false, says, fix);
}

/** When its turn is, and why not sooner. */
function turnWords(turn: NextTurn | undefined): string {
  if (turn === undefined) return '';
  if (turn.isLooking) return ' A look at its origin is under way.';
  const { ahead, perLook } = turn;
  if (ahead === 0) return ' It is the first of its origin that is asked next.';
  return ` ${ahead} addresses of its origin are asked before it, about ${perLook} in one look.`;
}

/** The origin did not answer at all, so no address of it was asked. */
function silenceOf({ target }: Facts): DiagnosisCheck | undefined {
  const { lastLookAt, report, submittedAt } = target ?? {};
  if (lastLookAt === undefined || report?.why === undefined) return undefined;
  if (submittedAt !== undefined && submittedAt > lastLookAt) return undefined;
  if (report.probes.some(({ step }) => step !== 'robots')) return undefined;
  const says = `Its origin did not let the crawler in at ${iso(lastLookAt)}. ${report.why}`;
  return check('answered', false, says, report.fix ?? FIXES.unreachable);
}

const FIXES: Readonly<Record<CrawlStepOutcome, string>> = {
  ok: 'Answer MCP or serve an agent card at this very address.',
  'not-found':
    'Serve MCP or an agent card at this very address, or submit the address that has it.',
  'key-needed': 'Name the scheme in WWW-Authenticate; then it is listed as one that needs a key.',
  quoted: 'List in `accepts` how it is paid over x402, so that its price can be read.',
  refused: 'Answer initialize of MCP at this very address, or serve an agent card there.',
  malformed: 'Answer JSON-RPC 2.0 as application/json or text/event-stream, or a complete card.',
  timeout: 'Answer within 10 seconds.',
  unreachable: 'Check the name, the port and the certificate from outside your own network.',
  forbidden: 'Allow AgentExchangeHub this path in robots.txt, and serve it at a public address.',
  skipped: 'Name an interface that speaks JSON-RPC in the card.',
};

function answeredCheck({ answered, steps }: AskedAddress): DiagnosisCheck {
  if (answered) return check('answered', true, 'It answered A2A, MCP or with a price of x402.', '');
  const telling = tellingOf(steps);
  const says = telling === undefined ? 'It answered neither A2A nor MCP.' : stepWords(telling);
  return check('answered', false, says, telling?.fix ?? FIXES[telling?.outcome ?? 'ok']);
}

function stepWords({ step, outcome, detail }: CrawlStep): string {
  return `${step}: ${outcome}. ${detail}`;
}

function listedCheck({ listing, isSeller, others, asked }: Facts): DiagnosisCheck {
  if (listing !== undefined) return check('listed', true, `It is listed as ${listing.id}.`, '');
  if (isSeller) {
    return check('listed', true, 'It quoted a price, and GET /api/v1/x402 shows it.', '');
  }
  const says =
    others.length === 0
      ? 'Nothing is listed at this origin.'
      : `This address is not listed; others of the origin are: ${others.slice(0, 5).join(', ')}.`;
  const fix =
    asked?.answered === true
      ? 'Wait for its next turn: an operator gets 100 new listings a day.'
      : 'Change what the check before names; it is asked again.';
  return check('listed', false, says, fix);
}

function shownCheck({ availability, availabilityNote }: Listing): DiagnosisCheck {
  const holds = answers(availability);
  const says = holds
    ? `It answers (${availability}), so lists show it.`
    : `It is ${availability}, so lists leave it out. ${availabilityNote}`;
  return check('shown', holds, says, 'Answer the next probes; lists show it again by themselves.');
}

function trustedCheck({ injectionSignals }: Listing): DiagnosisCheck {
  const [first] = injectionSignals;
  const says =
    first === undefined
      ? 'Its texts do not address the reader.'
      : `Its texts address the reader (${first.kind} at ${first.path}), so it ranks below its equals.`;
  return check(
    'trusted',
    first === undefined,
    says,
    'Describe what the tool does and when to use it; give no orders to its reader.',
  );
}
