import assert from 'node:assert/strict';
import { listedSkill, probedListing } from '../../../db/registry/fixture.ts';
import { sha256Hex } from '../../../domain/digest.ts';
import { instant } from '../../../domain/instant.ts';
import { atomic } from '../../../domain/money.ts';
import type { Listing } from '../../../domain/registry/listing.ts';
import { encode } from '../../kernel/encode.ts';
import { LISTING_FORM } from '../../kernel/listingTexts.ts';
import { presentListing } from './listing.ts';
import { presentRecord } from './record.ts';

/** The digest of a listing with every field, by form. */
const DIGESTS: Readonly<Record<string, string>> = {
  '1': 'fab050f6db890938',
  '2': '7d566ee4eaf1b8b2',
  '3': '7fab0ee713fcdf01',
  '4': '2a8b63734f2c7333',
  '5': '7d762f15789a778e',
};

const AT = instant(Date.parse('2026-11-20T10:00:00Z'));
const price = {
  amount: atomic(5n),
  asset: 'USDC',
  network: 'eip155:8453',
  payTo: `0x${'1'.repeat(40)}`,
};
const listing: Listing = {
  ...probedListing({ missingSince: AT, tenant: 't', accessNote: 'a note', verifiedOpen: true }),
  givenName: 'Agent ✓',
  description: 'd',
  version: '1.0.0',
  provider: 'p',
  documentationUrl: 'https://docs.example',
  topic: 'weather',
  summary: { text: 's', source: 'o', at: AT },
  price,
  verification: 'dns',
  passportKeyId: 'k'.repeat(43),
  openReports: 2,
  standsUnder: 'e'.repeat(16),
  standsBy: 'look-alike',
  refunds: 'output-schema',
  cardViolations: [{ rule: 'name', path: '/name', says: 'is empty' }],
  injectionSignals: [{ path: 'description', kind: 'override', text: 'Ignore all earlier' }],
  skillCount: 3,
  skillsPriced: 1,
  skillsPromised: 0,
  karma: 4,
  calls30d: 5,
  callers30d: 2,
  reach: 9,
  changedAt: AT,
};
const skills = [
  listedSkill('plain', { tags: ['a'], argumentLine: 'url*: string' }),
  listedSkill('priced', { price, access: 'paid', accessCheckedAt: AT, durationMs: 3 }),
];
const sibling = {
  id: 'f'.repeat(16),
  kind: 'a2a',
  name: 'n',
  endpoint: 'https://b.example',
} as const;
const full = { listing, skills, doors: [listing], siblings: [sibling] };
const looks = [{ at: AT, verdict: 'live', latencyMs: 5 }] as const;

describe('the form of stored texts', () => {
  it('has another version when the functions that present a listing change', () => {
    const shown = JSON.stringify(
      [presentRecord(full, looks, AT), presentListing(full, AT)].map((each) =>
        encode('AgentListing', each),
      ),
    );
    assert.equal(
      sha256Hex(shown).slice(0, 16),
      DIGESTS[LISTING_FORM],
      'raise LISTING_FORM and add its digest',
    );
  });
});
