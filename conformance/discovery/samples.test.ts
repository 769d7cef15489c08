import assert from 'node:assert/strict';
import {
  createHub,
  generateKey,
  isRefusal,
  unwrap,
  type Hub,
} from '../../clients/typescript/index.ts';
import { operations, type DeclaredOperation } from '../harness/contract.ts';
import { realClock } from '../harness/clock.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { runTypeScript } from '../../tools/docs/samples/runTypeScript.ts';

/**
 * Runs the TypeScript of every operation, as the contract shows it, against a hub. What a sample
 * names is often not there, so a refusal about it is an answer; one about its form is not.
 */
const ALL_MS_MAX = 120_000;
const OF_FORM = [
  'missing-field',
  'bad-request',
  'bad-json',
  'bad-account',
  'bad-amount',
  'bad-path',
  'unknown-field-value',
  'unknown-filter',
  'unsigned',
  'incomplete-coverage',
  'digest-mismatch',
  'unknown-key',
  'no-route',
  'method-not-allowed',
];
const ANSWERED_MIN = 90;
/** Its sample has the place of an API key. */
const API_KEY = 'hub_your-api-key';
/** Keys of RFC 9421, which no hub takes; they are Alice and Bob. */
const [ALICE, BOB] = [
  '3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt',
  '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR',
] as const;

describe('the code of each operation, against a hub', function suite() {
  this.timeout(ALL_MS_MAX);
  let world: Fixture;
  let hub: Hub;
  let key: Awaited<ReturnType<typeof generateKey>>;
  let apiKey = '';
  let answered = 0;
  before(async () => {
    world = await openFixture({ clock: realClock(), env: { HUB_TEST_WORLDS: '2' } });
    key = await generateKey();
    await world.fund({ ...world.alice, account: key.account }, '900000000');
    hub = createHub({ baseUrl: world.hub.url, key, retry: { attempts: 1 } });
    const path = { owner: key.account };
    const made = await hub.POST('/api/v1/wallet/{owner}/api-keys', { params: { path }, body: {} });
    apiKey = unwrap(made).key ?? '';
  });
  after(() => world.close());

  for (const operation of operations.filter(isWhole)) {
    it(`is taken by ${operation.operationId}`, async () => {
      const text = sourceOf(operation)
        .replace(API_KEY, apiKey)
        .replaceAll(ALICE, world.alice.keyId)
        .replaceAll(BOB, world.bob.keyId);
      try {
        await runTypeScript(text, { hub, unwrap, key });
        answered += 1;
      } catch (error) {
        assert.ok(isRefusal(error), String(error));
        assert.ok(!OF_FORM.includes(error.code), `${error.code} ${error.message}\n${text}`);
      }
    });
  }

  it('is mostly answered', () => {
    assert.ok(answered >= ANSWERED_MIN, `${answered} of ${operations.length} calls`);
  });
});

function sourceOf({ raw }: DeclaredOperation): string {
  const samples = raw['x-codeSamples'] as readonly { readonly lang: string; source: string }[];
  return samples.find(({ lang }) => lang === 'TypeScript')?.source ?? '';
}

/** Streams end with their reader. */
function isWhole({ raw }: DeclaredOperation): boolean {
  return raw['x-stream'] === undefined && raw['x-wait'] !== 'body.wait';
}
