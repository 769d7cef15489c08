import assert from 'node:assert/strict';
import { probedListing } from '../../db/registry/fixture.ts';
import { instant } from '../instant.ts';
import { diagnose, type Facts } from './diagnosis.ts';
import type { Listing } from './listing.ts';
import type { Target } from './target.ts';

const URL_A = 'https://agent.example/mcp';
const LOOKED = instant(Date.parse('2026-11-28T10:00:00Z'));
const NEXT = instant(Date.parse('2026-11-28T16:00:00Z'));
const target: Target = {
  origin: 'https://agent.example',
  host: 'agent.example',
  foundBy: 'submission',
  firstSeenAt: LOOKED,
  hints: [],
  submissions: 2,
  backOff: 0,
  nextLookAt: NEXT,
  failures: 0,
  lastLookAt: LOOKED,
  outcome: 'listed',
};
const { lastLookAt: _at, outcome: _outcome, ...unprobed } = target;
const listing: Listing = {
  ...probedListing({ id: 'code' }),
  refunds: 'none',
  karma: 0,
  skillCount: 0,
  skillsPriced: 0,
  skillsPromised: 0,
  calls30d: 0,
  callers30d: 0,
  reach: 0,
  changedAt: LOOKED,
};
const diagnosed = (over: Partial<Facts>) => {
  const facts = { url: URL_A, target, feeds: 3, listing, others: [], ...over };
  const { verdict, checks } = diagnose(facts);
  const lines = checks.map(({ check, holds, says, fix }) =>
    [check, holds ? 'yes' : 'no', says, fix ?? '-'].join(' | '),
  );
  return [verdict, ...lines];
};
const NAMED =
  'named | yes | The origin was submitted 2 times, and feeds named 3 addresses of it. | -';
const PROBED = 'probed | yes | The crawler probed the origin at 2026-11-28T10:00:00.000Z. | -';
const ANSWERED = 'answered | yes | Something at the origin answered A2A or MCP. | -';
const LISTED = 'listed | yes | It is listed as code. | -';
const SHOWN = 'shown | yes | It answers (live), so lists show it. | -';
const TRUSTED = 'trusted | yes | Its texts do not address the reader. | -';

describe('why a server is found or not', () => {
  it('is found when every condition holds', () => {
    assert.deepEqual(diagnosed({}), ['found', NAMED, PROBED, ANSWERED, LISTED, SHOWN, TRUSTED]);
    const byFeed =
      'named | yes | The origin was submitted 0 times, and feeds named 1 addresses of it. | -';
    const found = diagnosed({ target: undefined, feeds: 1 });
    assert.deepEqual(found, ['found', byFeed, LISTED, SHOWN, TRUSTED]);
  });

  it('is unknown when nothing named it', () => {
    const fix = `Submit it: POST /api/v1/agents {"url":"${URL_A}"}.`;
    assert.deepEqual(diagnosed({ target: undefined, feeds: 0, listing: undefined }), [
      'unknown',
      `named | no | No feed and no submission named this origin. | ${fix}`,
    ]);
    const fed = diagnosed({ target: undefined, feeds: 1, listing: undefined });
    assert.equal(fed[0], 'unknown');
    assert.match(fed[1] ?? '', /^named \| yes/);
    const submitted = diagnosed({ target: { ...target, submissions: 1 }, feeds: 0 });
    assert.match(submitted[1] ?? '', /^named \| yes \| The origin was submitted 1 times/);
  });

  it('waits for the first probe', () => {
    const probed =
      'probed | no | The crawler has not probed the origin yet. | Wait until 2026-11-28T16:00:00.000Z.';
    const waiting = { target: unprobed, listing: undefined };
    assert.deepEqual(diagnosed(waiting), ['waiting', NAMED, probed]);
    assert.equal(diagnosed({ target: unprobed })[0], 'found');
  });

  it('is not listed when nothing answered, and the report says what to change', () => {
    const nothing =
      'answered | no | Nothing at the origin answered A2A or MCP. | Answer MCP at the submitted address, or serve an agent card.';
    const listed =
      'listed | no | Nothing is listed at this origin. | Mend what the probe reports, then submit the address again.';
    const failed: Target = { ...target, outcome: 'not-listed' };
    assert.deepEqual(diagnosed({ target: failed, listing: undefined }), [
      'not-listed',
      ...[NAMED, PROBED, nothing, listed],
    ]);
    const report = { found: [], probes: [], why: 'It sent HTML.', fix: 'Send JSON.' };
    const reported = diagnosed({ target: { ...failed, report }, listing: undefined });
    assert.equal(reported[3], 'answered | no | It sent HTML. | Send JSON.');
  });

  it('is not listed at this address when others of the origin are', () => {
    const others = ['a', 'b', 'c', 'd', 'e', 'f'];
    assert.equal(
      diagnosed({ listing: undefined, others })[4],
      'listed | no | This address is not listed; others of the origin are: a, b, c, d, e. | ' +
        `Submit this very address: POST /api/v1/mcp-servers {"url":"${URL_A}"}.`,
    );
  });

  it('is hidden while it does not answer', () => {
    const down = {
      ...listing,
      availability: 'unreachable',
      availabilityNote: 'Two misses.',
    } as const;
    const [verdict, , , , , shown] = diagnosed({ listing: down });
    assert.equal(verdict, 'hidden');
    assert.equal(
      shown,
      'shown | no | It is unreachable, so lists leave it out. Two misses. | ' +
        'Answer the next probes; lists show it again by themselves.',
    );
    assert.equal(diagnosed({ listing: { ...listing, availability: 'unstable' } })[0], 'found');
  });

  it('is found below its equals when its texts address the reader', () => {
    const injectionSignals = [{ path: 'description', kind: 'override', text: 'x' }] as const;
    const found = diagnosed({ listing: { ...listing, injectionSignals } });
    assert.equal(found[0], 'found');
    assert.equal(
      found[6],
      'trusted | no | Its texts address the reader (override at description), so it ranks below its equals. | ' +
        'Describe what the tool does and when to use it; give no orders to its reader.',
    );
  });
});
