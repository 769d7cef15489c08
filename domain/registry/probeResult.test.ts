import assert from 'node:assert/strict';
import { listedSkill } from '../../db/registry/fixture.ts';
import { defined } from '../defined.ts';
import { instant } from '../instant.ts';
import { atomic } from '../money.ts';
import { listingCode, operatorCode } from './code.ts';
import type { ListedSkill, Listing, Price } from './listing.ts';
import {
  codesOf,
  mergeProbe,
  type Known,
  type MergedListing,
  type OriginCodes,
  type ProbeResult,
  type ReportedMetadata,
} from './probeResult.ts';

const ORIGIN = 'https://a.example';
const ENDPOINT = `${ORIGIN}/mcp`;
const NOON = instant(Date.parse('2026-11-28T12:00:00Z'));
const HOUR = 3_600_000;
const price = (amount: bigint): Price => ({
  amount: atomic(amount),
  asset: 'USDC',
  network: 'base',
});
const reported = (over: Partial<ReportedMetadata> = {}): ReportedMetadata => ({
  transport: 'streamable-http',
  name: 'A',
  skills: [],
  access: 'open',
  authSchemes: [],
  violations: [],
  signals: [],
  ...over,
});
const seen = (over: Partial<ProbeResult> = {}): ProbeResult => ({
  kind: 'mcp',
  endpoint: ENDPOINT,
  verdict: 'live',
  message: 'It answers.',
  latencyMs: 5,
  ...over,
});
const SILENT = seen({ verdict: 'unreachable', message: 'It was silent.', latencyMs: 0 });
const PLACE = { origin: ORIGIN, code: 'code', isMain: true };
const merged = (...of: Parameters<typeof mergeProbe>): MergedListing => {
  const found = mergeProbe(...of);
  assert.ok(found !== undefined);
  return found;
};
const known = ({ listing, skills, looks }: MergedListing): Known => ({
  listing: {
    ...listing,
    refunds: 'none',
    karma: 0,
    calls30d: 0,
    callers30d: 0,
    reach: 0,
    skillCount: skills.length,
    skillsPriced: 0,
    skillsPromised: 0,
    changedAt: NOON,
  },
  skills,
  looks,
});

describe('the listing that a look makes', () => {
  const skills = [listedSkill('t', { verdict: 'served' })];
  const metadata = {
    protocolVersion: '2025-06-18',
    tenant: 'acme',
    name: 'A',
    description: 'An agent.',
    version: '1',
    provider: 'P',
    documentationUrl: 'https://a.example/docs',
    accessNote: 'note',
  };
  const violation = { rule: 'tool-name', path: 'tools/0', says: 'x' };
  const signal = { path: 'name', kind: 'override', text: 'x' } as const;
  const first = merged(
    seen({
      reported: reported({
        ...metadata,
        skills,
        price: price(5n),
        violations: [violation],
        signals: [signal],
      }),
    }),
    PLACE,
    undefined,
    NOON,
  );

  it('has what it said of itself and what was measured', () => {
    assert.deepEqual(first, {
      listing: {
        id: 'code',
        kind: 'mcp',
        origin: ORIGIN,
        host: 'a.example',
        endpoint: ENDPOINT,
        group: ORIGIN,
        operatorId: operatorCode('a.example'),
        transport: 'streamable-http',
        ...metadata,
        access: 'open',
        authSchemes: ['x402'],
        price: price(5n),
        quotesX402: true,
        cardQualityBps: 9_000,
        cardViolations: [violation],
        injectionSignals: [signal],
        verifiedOpen: true,
        availability: 'live',
        availabilityNote: 'It answered 1 of its last 1 look.',
        uptimeBps: 10_000,
        latencyMs: 5,
        lastCheckedAt: NOON,
        firstSeenAt: NOON,
        lastSeenAt: NOON,
      },
      skills,
      looks: [{ at: NOON, verdict: 'live', latencyMs: 5 }],
      changes: [],
    });
  });

  it('is none of a door that never described itself', () => {
    assert.equal(mergeProbe(SILENT, PLACE, undefined, NOON), undefined);
  });

  it('keeps its description while it is silent, and says since when', () => {
    const at = instant(NOON + HOUR);
    const { listing, skills: kept, changes } = merged(SILENT, PLACE, known(first), at);
    assert.deepEqual(listing, {
      ...first.listing,
      availability: 'unstable',
      availabilityNote: 'It answered 1 of its last 2 looks; the last one failed: It was silent.',
      uptimeBps: 5_000,
      lastCheckedAt: at,
      missingSince: at,
    });
    assert.deepEqual([kept, changes], [skills, []]);
    const later = merged(SILENT, PLACE, known({ ...first, listing }), instant(at + HOUR));
    assert.equal(later.listing.missingSince, at);
    const back = merged(seen(), PLACE, known(later), instant(at + 2 * HOUR));
    assert.equal('missingSince' in back.listing, false);
    assert.deepEqual([back.listing.firstSeenAt, back.listing.lastSeenAt], [NOON, at + 2 * HOUR]);
  });

  it('is measured as before by a look that comes too soon to count', () => {
    const soon = merged(SILENT, PLACE, known(first), instant(NOON + 60_000));
    const { availability, availabilityNote, uptimeBps, latencyMs } = soon.listing;
    assert.deepEqual(
      [availability, availabilityNote, uptimeBps, latencyMs],
      ['live', 'It answered 1 of its last 1 look.', 10_000, 5],
    );
    assert.deepEqual(soon.looks, first.looks);
  });

  it('names the changes of a description', () => {
    const again = seen({
      reported: reported({ ...metadata, name: 'B', skills, price: price(5n) }),
    });
    const { changes } = merged(again, PLACE, known(first), instant(NOON + HOUR));
    assert.deepEqual(changes, [{ path: 'name', change: 'changed', before: 'A', after: 'B' }]);
  });

  it('is a group of its own for a further endpoint', () => {
    const further = { ...PLACE, isMain: false };
    assert.equal(
      merged(seen({ reported: reported() }), further, undefined, NOON).listing.group,
      ENDPOINT,
    );
  });
});

describe('what a look makes of a quote', () => {
  const listed = (own: Price | undefined, more: Partial<ReportedMetadata> = {}): Partial<Listing> =>
    merged(
      seen({ reported: reported({ ...defined({ price: own }), ...more }) }),
      PLACE,
      undefined,
      NOON,
    ).listing;

  it('lists a price, and says that it is quoted over x402', () => {
    const listing = listed(price(5n));
    assert.deepEqual([listing.price, listing.quotesX402], [price(5n), true]);
    assert.deepEqual(listing.authSchemes, ['x402']);
  });

  it('takes a quote of "0" for no price', () => {
    const listing = listed(price(0n));
    assert.deepEqual([listing.price, listing.quotesX402], [undefined, false]);
    assert.deepEqual(listing.authSchemes, []);
  });

  it('lists the least price of the door and its tools', () => {
    const skill = (amount: bigint): ListedSkill => listedSkill('t', { price: price(amount) });
    const skills = [skill(7n), listedSkill('free'), skill(3n), skill(4n), skill(0n)];
    assert.deepEqual(listed(price(5n), { skills }).price, price(3n));
    assert.deepEqual(listed(price(2n), { skills }).price, price(2n));
    assert.deepEqual(listed(undefined, { skills }).price, price(3n));
  });

  it('names x402 once, also where no price can be read', () => {
    const authSchemes = ['bearer', 'x402'];
    const listing = listed(undefined, { isX402: true, authSchemes });
    assert.deepEqual([listing.quotesX402, listing.authSchemes], [true, authSchemes]);
    assert.equal(listing.price, undefined);
  });
});

describe('the codes of the doors of an origin', () => {
  const MAINS: OriginCodes = { a2a: { id: 'main-a2a' }, mcp: { id: 'main-mcp' } };
  const door = (path: string, over: Partial<ProbeResult> = {}): ProbeResult =>
    seen({ endpoint: `${ORIGIN}${path}`, reported: reported(), ...over });
  const of = (path: string): string => listingCode('mcp', ORIGIN, path);
  const codes = (
    doors: readonly ProbeResult[],
    listed: readonly (readonly [id: string, path: string])[] = [],
    mains = MAINS,
  ) =>
    codesOf(
      ORIGIN,
      doors,
      listed.map(([id, path]) => ({ id, endpoint: `${ORIGIN}${path}` })),
      mains,
    );

  it('are that of the origin for the first of a protocol that answers', () => {
    assert.deepEqual(codes([door('/a'), door('/b?c')]), ['main-mcp', of('/b?c')]);
    assert.deepEqual(codes([door('/a'), door('/b', { kind: 'a2a' })]), ['main-mcp', 'main-a2a']);
    const { reported: _told, ...silent } = door('/a', { verdict: 'unreachable' });
    assert.deepEqual(codes([silent, door('/b')]), [of('/a'), 'main-mcp']);
  });

  it('stay with the endpoint that has one, as long as it answers', () => {
    const listed = [['main-mcp', '/b']] as const;
    assert.deepEqual(codes([door('/a'), door('/b')], listed), [of('/a'), 'main-mcp']);
    const { reported: _told, ...gone } = door('/b', { verdict: 'unreachable' });
    assert.deepEqual(codes([door('/a'), gone], listed), ['main-mcp', of('/b')]);
    // The caller takes the one that answers of two doors with one code.
    assert.deepEqual(codes([gone, door('/a')], listed), ['main-mcp', 'main-mcp']);
    assert.deepEqual(codes([door('/b')], listed), ['main-mcp']);
    assert.deepEqual(codes([door('/c')], [['other', '/c']]), ['other']);
  });

  it('are other ones at an origin whose listing has moved away', () => {
    const mains: OriginCodes = { ...MAINS, mcp: { leftFor: `${ORIGIN}/gone` } };
    assert.deepEqual(codes([door('/a'), door('/gone')], [], mains), [of('/a'), undefined]);
  });

  it('are of the whole address where the endpoint is elsewhere', () => {
    const elsewhere = seen({ endpoint: 'https://b.example/x', reported: reported() });
    assert.deepEqual(codes([door('/a'), elsewhere]), ['main-mcp', of('https://b.example/x')]);
  });
});
