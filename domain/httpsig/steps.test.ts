import assert from 'node:assert/strict';
import { keyIdOf } from '../account.ts';
import { sha256, sha512 } from '../digest.ts';
import { base64, contentDigest, signatureBase } from './base.ts';
import { fixtureKey, policyAt } from './fixture.ts';
import { inspect, type Inspection } from './inspect.ts';
import { judgeReceiver, PUBLISHED_TEST_KEY } from './keys.ts';
import { readFields, readMessage, type RawRequest } from './message.ts';

const NOW = 1_767_225_600;
const ORIGIN = 'https://hub.example';
const key = fixtureKey(new Uint8Array(32).fill(9));
const KEY_ID = keyIdOf(key.publicKey);
const NOTHING = new Uint8Array(0);

interface Wish {
  readonly covered?: readonly string[];
  readonly created?: number;
  readonly more?: string;
  readonly alg?: string;
  readonly headers?: readonly string[];
  readonly body?: Uint8Array;
  readonly method?: string;
}

/** A request that is signed as wished, with the texts of its two signature headers. */
function signed(wish: Wish = {}) {
  const { covered = ['@method', '@path'], created = NOW, more = '', alg = 'ed25519' } = wish;
  const headers = ['Host', 'hub.example', ...(wish.headers ?? [])];
  const { method = 'GET', body = NOTHING } = wish;
  const request: RawRequest = { method, target: '/p', headers, body };
  const message = readMessage({ ...request, method: 'GET' }, readFields(headers), [ORIGIN]);
  assert.ok(!('reason' in message));
  const list = covered.map((name) => `"${name}"`).join(' ');
  const given = `created=${created}${more};keyid="${KEY_ID}";alg="${alg}";nonce="nonce-001"`;
  const params = `(${list});${given}`;
  const base = signatureBase(message, covered, params);
  const bytes = base.ok ? key.sign(Buffer.from(base.text)) : new Uint8Array(64);
  return { request, params, signature: `:${base64(bytes)}:` };
}

const asSent = (inputs: string, signatures: string, { request }: ReturnType<typeof signed>) => ({
  ...request,
  headers: [...request.headers, 'Signature-Input', inputs, 'Signature', signatures],
});
const sent = (wish: Wish = {}): RawRequest => {
  const made = signed(wish);
  return asSent(`sig1=${made.params}`, `sig1=${made.signature}`, made);
};
const seen = (request: RawRequest, origins = [ORIGIN]): Inspection =>
  inspect(request, policyAt(NOW, { origins }));
const lines = ({ steps }: Inspection): readonly string[] =>
  steps.map(({ step, ok, detail }) => `${step} ${ok ? 'passed' : 'failed'}: ${detail}`);

const READ = 'headers passed: the signature sig1 is well-formed';
const PATH = ['message passed: GET /p', 'coverage passed: covers @method @path'];

describe('what the verifier looked at', () => {
  it('is every step of a signature that verifies, with or without a body', () => {
    const rest = [
      "window passed: created 7 s ago by the hub's clock",
      `key passed: keyid ${KEY_ID} is a sound public key`,
      'signature passed: the signature verifies',
    ];
    assert.deepEqual(lines(seen(sent({ created: NOW - 7 }))), [
      ...[READ, ...PATH, ...rest],
      'digest passed: there is no body to compare',
    ]);
    const body = Buffer.from('{}');
    const headers = ['Content-Digest', contentDigest(sha256(body))];
    const covered = ['@method', '@path', 'content-digest'];
    assert.deepEqual(lines(seen(sent({ created: NOW - 7, covered, headers, body }))), [
      ...[READ, 'message passed: GET /p', 'coverage passed: covers @method @path content-digest'],
      ...[...rest, 'digest passed: Content-Digest is the digest of the bytes received'],
    ]);
  });

  it('ends for a visitor with the headers', () => {
    const none = 'the request has no Signature-Input and no Signature header';
    const visitor = seen(signed().request);
    assert.deepEqual(visitor, {
      kind: 'unsigned',
      detail: none,
      steps: [{ step: 'headers', ok: false, detail: none }],
    });
  });

  const body = Buffer.from('{}');
  const withDigest = (text: string): RawRequest => {
    const covered = ['@method', '@path', 'content-digest'];
    return sent({ covered, headers: ['Content-Digest', text], body });
  };
  type Row = readonly [request: () => RawRequest, line: string, reason: string, of?: string];
  const failures: readonly Row[] = [
    [
      () => sent({ method: 'G T' }),
      'message failed: the method is not a token',
      'unsigned',
      '@method',
    ],
    [
      () => sent({ covered: ['@method'] }),
      'coverage failed: the signature does not cover "@path"',
      'incomplete-coverage',
      '@path',
    ],
    [
      () => sent({ covered: ['@method', '@path', 'x-gone'] }),
      'coverage failed: "x-gone" is covered, but the request has no usable value for it',
      'incomplete-coverage',
      'x-gone',
    ],
    [
      () => sent({ created: NOW - 301 }),
      `window failed: created is 301 s behind the hub's clock (${NOW}), limit 300 s`,
      'stale',
    ],
    [
      () => sent({ created: NOW + 301 }),
      `window failed: created is 301 s ahead of the hub's clock (${NOW}), limit 300 s`,
      'stale',
    ],
    [
      () => sent({ created: NOW - 9, more: `;expires=${NOW - 2}` }),
      'window failed: expires was 2 s ago',
      'stale',
    ],
    [
      () => sent({ created: NOW + 9, more: `;expires=${NOW + 8}` }),
      'window failed: expires is before created',
      'stale',
    ],
    [() => sent({ alg: 'ed448' }), 'key failed: alg must be "ed25519"', 'unknown-key'],
    [
      () => ({ ...sent(), method: 'PUT' }),
      'signature failed: the signature does not verify over the base the hub built',
      'unknown-key',
    ],
    [
      () => withDigest(contentDigest(sha256(Buffer.from('[]')))),
      'digest failed: sha-256 in Content-Digest is not the digest of the bytes received',
      'digest-mismatch',
      'content-digest',
    ],
    [
      () => withDigest(`sha-512=:${base64(sha512(Buffer.from('[]')))}:`),
      'digest failed: sha-512 in Content-Digest is not the digest of the bytes received',
      'digest-mismatch',
      'content-digest',
    ],
  ];
  for (const [request, line, reason, component] of failures) {
    it(`ends with "${line}"`, () => {
      const verdict = seen(request());
      assert.ok(verdict.kind === 'refused');
      assert.equal(lines(verdict).at(-1), line);
      assert.deepEqual([verdict.reason, verdict.component], [reason, component]);
      assert.equal('component' in verdict, component !== undefined);
    });
  }

  it('takes `expires` at this second, and at the second of `created`', () => {
    for (const expires of [NOW, NOW + 1]) {
      assert.equal(seen(sent({ more: `;expires=${expires}` })).kind, 'verified');
    }
  });

  it('names the hub when a covered component names another one', () => {
    const covered = ['@method', '@path', '@authority'];
    const verdict = seen(sent({ covered }), ['https://a.example', 'https://b.example']);
    assert.ok(verdict.kind === 'refused');
    assert.equal(
      verdict.detail,
      '"@authority" is covered and names another hub; this one is https://a.example or https://b.example',
    );
    assert.equal(seen(sent(), ['https://a.example']).kind, 'verified');
  });
});

describe('several signatures of one request', () => {
  const [ours, other] = ['ed25519', 'rsa-v1_5'].map((alg) => signed({ alg }));
  assert.ok(ours !== undefined && other !== undefined);
  const both = (first: typeof ours, second: typeof ours): Inspection =>
    seen(
      asSent(
        `a=${first.params}, b=${second.params}`,
        `a=${first.signature}, b=${second.signature}`,
        ours,
      ),
    );

  it('leave the one that fits, wherever it stands', () => {
    assert.equal(both(ours, other).kind, 'verified');
    assert.equal(both(other, ours).kind, 'verified');
  });

  it('are refused when two of them fit, and by the first when none does', () => {
    assert.equal(
      lines(both(ours, ours)).at(-1),
      'headers failed: more than one signature fits; send one',
    );
    assert.equal(lines(both(other, other)).at(-1), 'key failed: alg must be "ed25519"');
  });

  it('are four at most', () => {
    const labels = (count: number): Inspection => {
      const tagged = Array.from({ length: count - 1 }, (_, n) => `t${n}`);
      const inputs = tagged.map((label) => `${label}=();tag="x"`);
      const signatures = tagged.map((label) => `${label}=:AAAA:`);
      const first = [`sig1=${ours.params}`, `sig1=${ours.signature}`] as const;
      return seen(asSent([first[0], ...inputs].join(), [first[1], ...signatures].join(), ours));
    };
    assert.equal(labels(4).kind, 'verified');
    assert.equal(lines(labels(5)).at(-1), 'headers failed: Signature-Input has more than 4 labels');
  });
});

describe('the bounds of a signature', () => {
  it('are 32 components', () => {
    const covering = (count: number): Inspection => {
      const names = Array.from({ length: count - 2 }, (_, n) => `x-${n}`);
      const headers = names.flatMap((name) => [name, 'a']);
      return seen(sent({ covered: ['@method', '@path', ...names], headers }));
    };
    assert.equal(covering(32).kind, 'verified');
    const line = 'headers failed: more than 32 components are covered';
    assert.equal(lines(covering(33)).at(-1), line);
  });

  it('are 4,096 characters of a header', () => {
    const made = signed();
    const long = (length: number): Inspection => {
      const input = `sig1=${made.params}, t=();tag="`;
      const inputs = `${input}${'x'.repeat(length - input.length - 1)}"`;
      assert.equal(inputs.length, length);
      return seen(asSent(inputs, `sig1=${made.signature}, t=:AAAA:`, made));
    };
    assert.equal(long(4_096).kind, 'verified');
    const line = 'headers failed: Signature-Input is longer than 4096 characters';
    assert.equal(lines(long(4_097)).at(-1), line);
  });
});

describe('the key of a payee', () => {
  it('is judged as a new key is, the first time and every time', () => {
    for (let times = 0; times < 2; times += 1) {
      const verdict = judgeReceiver(KEY_ID);
      assert.ok(verdict.ok && verdict.keyId === KEY_ID);
      const published = judgeReceiver(PUBLISHED_TEST_KEY as typeof KEY_ID);
      assert.ok(!published.ok);
      assert.equal(published.why, 'keyid is a published test key of RFC 9421');
    }
  });
});
