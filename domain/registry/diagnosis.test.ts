import assert from 'node:assert/strict';
import { probedListing } from '../../db/registry/fixture.ts';
import { instant } from '../instant.ts';
import { diagnose, type Facts } from './diagnosis.ts';
import type { Listing } from './listing.ts';
import type { CrawlStep, Target } from './target.ts';
import type { AskedAddress } from './turns.ts';

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
const asked: AskedAddress = {
  url: URL_A,
  askedAt: LOOKED,
  dueAt: NEXT,
  failures: 0,
  answered: true,
  steps: [],
};
const step = (outcome: CrawlStep['outcome'], detail: string): CrawlStep => ({
  step: 'initialize',
  url: URL_A,
  at: LOOKED,
  outcome,
  detail,
  durationMs: 1,
});
const FEED = { feed: 'https://list.example/v0.1/servers', firstAt: LOOKED };
const diagnosed = (over: Partial<Facts>) => {
  const facts: Facts = {
    url: URL_A,
    target,
    feeds: [FEED],
    ofOrigin: 3,
    submittedAt: undefined,
    asked,
    turn: undefined,
    listing,
    isSeller: false,
    others: [],
    ...over,
  };
  const { verdict, checks } = diagnose(facts);
  const lines = checks.map(({ check, holds, says, fix }) =>
    [check, holds ? 'yes' : 'no', says, fix ?? '-'].join(' | '),
  );
  return [verdict, ...lines];
};
const NAMED =
  'named | yes | https://list.example/v0.1/servers named it first at 2026-11-28T10:00:00.000Z. | -';
const PROBED = 'probed | yes | The crawler asked it at 2026-11-28T10:00:00.000Z. | -';
const ANSWERED = 'answered | yes | It answered A2A, MCP or with a price of x402. | -';
const LISTED = 'listed | yes | It is listed as code. | -';
const SHOWN = 'shown | yes | It answers (live), so lists show it. | -';
const TRUSTED = 'trusted | yes | Its texts do not address the reader. | -';

describe('why an address is found or not', () => {
  it('is found when every condition holds', () => {
    assert.deepEqual(diagnosed({}), ['found', NAMED, PROBED, ANSWERED, LISTED, SHOWN, TRUSTED]);
    const older = diagnosed({ asked: undefined });
    assert.deepEqual(older, ['found', NAMED, LISTED, SHOWN, TRUSTED]);
    const byItself = diagnosed({ feeds: [], ofOrigin: 0 });
    assert.equal(byItself[1], 'named | yes | The crawler found it at the origin by itself. | -');
  });

  it('is found in x402 alone when it only quotes a price', () => {
    const [verdict, , , , listed] = diagnosed({ listing: undefined, isSeller: true });
    assert.equal(verdict, 'found');
    assert.equal(listed, 'listed | yes | It quoted a price, and GET /api/v1/x402 shows it. | -');
  });

  it('is unknown when nothing named this very address, whatever of its origin was named', () => {
    const none = { feeds: [], asked: undefined, listing: undefined };
    const fix = `Submit it: POST /api/v1/agents {"url":"${URL_A}"}.`;
    assert.deepEqual(diagnosed({ ...none, ofOrigin: 0, target: undefined }), [
      'unknown',
      `named | no | No feed and no submission named this address. | ${fix}`,
    ]);
    const [verdict, named] = diagnosed({ ...none, others: ['https://agent.example/b'] });
    assert.equal(verdict, 'unknown');
    assert.match(named ?? '', /Of its origin 0 other addresses were named\./);
  });

  it('waits for its turn, and says how many are before it', () => {
    const none = { asked: undefined, listing: undefined, target: unprobed };
    const turn = { at: NEXT, ahead: 9, perLook: 7, isLooking: false };
    assert.deepEqual(diagnosed({ ...none, turn }), [
      'waiting',
      NAMED,
      'probed | no | The crawler has not asked this address yet. ' +
        '9 addresses of its origin are asked before it, about 7 in one look. | ' +
        'Wait until 2026-11-28T16:00:00.000Z. ' +
        'Signed, POST /api/v1/agents has it looked at at once, six times an hour.',
    ]);
    assert.match(
      diagnosed({ ...none, turn: { ...turn, ahead: 0 } })[2] ?? '',
      /first of its origin/,
    );
    assert.match(diagnosed({ ...none, turn: { ...turn, isLooking: true } })[2] ?? '', /under way/);
    assert.match(
      diagnosed({ ...none, submittedAt: LOOKED })[1] ?? '',
      /^named \| yes \| It was sub/,
    );
  });

  it('says when the whole origin did not let the crawler in', () => {
    const report = { found: [], probes: [], why: 'connect failed.', fix: 'Check the port.' };
    const silent = { ...target, outcome: 'not-listed', report } as const;
    const none = { asked: undefined, listing: undefined, target: silent };
    const [verdict, , answered] = diagnosed(none);
    assert.equal(verdict, 'not-listed');
    assert.equal(
      answered,
      'answered | no | Its origin did not let the crawler in at 2026-11-28T10:00:00.000Z. ' +
        'connect failed. | Check the port.',
    );
    const newer = { ...none, target: { ...silent, submittedAt: instant(LOOKED + 1) } };
    assert.equal(diagnosed(newer)[0], 'waiting', 'it was submitted again since');
  });

  it('is not listed by what came back from this address, the most telling answer first', () => {
    const steps = [step('not-found', 'It answered 404.'), step('malformed', 'It sent HTML.')];
    const none = { listing: undefined, others: ['a', 'b', 'c', 'd', 'e', 'f'] };
    assert.deepEqual(diagnosed({ ...none, asked: { ...asked, answered: false, steps } }), [
      'not-listed',
      NAMED,
      PROBED,
      'answered | no | initialize: malformed. It sent HTML. | ' +
        'Answer JSON-RPC 2.0 as application/json or text/event-stream, or a complete card.',
      'listed | no | This address is not listed; others of the origin are: a, b, c, d, e. | ' +
        'Change what the check before names; it is asked again.',
    ]);
    const own = [{ ...step('refused', 'It answered 500.'), fix: 'Answer 200.' }];
    const mended = diagnosed({ ...none, asked: { ...asked, answered: false, steps: own } });
    assert.match(mended[3] ?? '', /It answered 500\. \| Answer 200\.$/);
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
