import { iso } from '../instant.ts';
import { answers, type Listing } from './listing.ts';
import type { Target } from './target.ts';

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

export interface Facts {
  readonly url: string;
  readonly target: Target | undefined;
  readonly feeds: number;
  /** The listing of this very address, or of its origin when the address is one. */
  readonly listing: Listing | undefined;
  /** Listings of the origin at other addresses. */
  readonly others: readonly string[];
}

export function diagnose(facts: Facts): Diagnosed {
  const { target, listing } = facts;
  const checks = [namedCheck(facts)];
  if (target === undefined && listing === undefined) return { verdict: 'unknown', checks };
  if (target !== undefined) {
    checks.push(probedCheck(target));
    if (target.lastLookAt === undefined && listing === undefined) {
      return { verdict: 'waiting', checks };
    }
    checks.push(answeredCheck(target));
  }
  checks.push(listedCheck(facts));
  if (listing === undefined) return { verdict: 'not-listed', checks };
  checks.push(shownCheck(listing), trustedCheck(listing));
  return { verdict: answers(listing.availability) ? 'found' : 'hidden', checks };
}

function check(name: CheckName, holds: boolean, says: string, fix: string): DiagnosisCheck {
  return { check: name, holds, says, ...(!holds && { fix }) };
}

function namedCheck({ url, target, feeds }: Facts): DiagnosisCheck {
  const submitted = target?.submissions ?? 0;
  const says =
    target === undefined && feeds === 0
      ? 'No feed and no submission named this origin.'
      : `The origin was submitted ${submitted} times, and feeds named ${feeds} addresses of it.`;
  const fix = `Submit it: POST /api/v1/agents {"url":"${url}"}.`;
  return check('named', target !== undefined || feeds > 0, says, fix);
}

function probedCheck({ lastLookAt, nextLookAt }: Target): DiagnosisCheck {
  const says =
    lastLookAt === undefined
      ? 'The crawler has not probed the origin yet.'
      : `The crawler probed the origin at ${iso(lastLookAt)}.`;
  return check('probed', lastLookAt !== undefined, says, `Wait until ${iso(nextLookAt)}.`);
}

function answeredCheck({ outcome, report }: Target): DiagnosisCheck {
  const holds = outcome === 'listed';
  const says = holds
    ? 'Something at the origin answered A2A or MCP.'
    : (report?.why ?? 'Nothing at the origin answered A2A or MCP.');
  const fix = report?.fix ?? 'Answer MCP at the submitted address, or serve an agent card.';
  return check('answered', holds, says, fix);
}

function listedCheck({ url, listing, others }: Facts): DiagnosisCheck {
  if (listing !== undefined) return check('listed', true, `It is listed as ${listing.id}.`, '');
  const says =
    others.length === 0
      ? 'Nothing is listed at this origin.'
      : `This address is not listed; others of the origin are: ${others.slice(0, 5).join(', ')}.`;
  const fix =
    others.length === 0
      ? 'Mend what the probe reports, then submit the address again.'
      : `Submit this very address: POST /api/v1/mcp-servers {"url":"${url}"}.`;
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
