import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mustBeRefusal, type WireAnswer } from '../harness/wire.ts';
import { malformed, openVectorHub, type Malformed, type VectorHub } from './_vectors.ts';

/**
 * Requests that never get as far as their signature: no HTTP parser takes them, or their Host is
 * none (RFC 9112 3.2, `bad-request`), or they name no path or no method that the hub serves.
 */
function refusedEarlier({ request }: Malformed): readonly [number, string] | undefined {
  const { method, target, headers } = request;
  const hosts = headers.filter(([name]) => name.toLowerCase() === 'host');
  const hasHost = hosts.length === 1 && !/\s/.test(hosts[0]?.[1] ?? '');
  if (!hasHost || !READABLE_METHOD.test(method) || !READABLE_TARGET.test(target)) {
    return [400, 'bad-request'];
  }
  if (!/^\/(?!\/)[^#]*$/.test(target.split('?')[0] ?? '')) return [404, 'no-route'];
  if (method === 'DELETE') return [405, 'method-not-allowed'];
  return ELSEWHERE.has(target) ? [404, 'no-route'] : undefined;
}

const READABLE_METHOD = /^[A-Z]+$/;
const READABLE_TARGET = /^(?:\/|\*$|https?:)[\x21-\x7e]*$/;

/** Spellings that name another path than the signed one; none is taken for it. */
const ELSEWHERE = new Set([
  '/api/v1/me/',
  '/api/v1/ME',
  '/api/v1/m%65',
  '/api/v1/./me',
  '/api/v1//me',
  '/api/v1/me;a=1',
  '/a%2Fb',
]);

describe('signature vectors that do not verify, over HTTP', () => {
  let place: VectorHub;
  let signatureRefusals = 0;
  before(async () => {
    place = await openVectorHub();
  });
  after(() => place.hub.close());

  for (const vector of malformed.cases) {
    it(`${vector.reason}: ${vector.title}`, async () => {
      const answer = await place.send(vector);
      const earlier = refusedEarlier(vector);
      if (earlier !== undefined) {
        mustBeRefusal(answer, ...earlier);
        return;
      }
      if (vector.request.method === 'HEAD') {
        assert.equal(answer.status, 401);
        return;
      }
      signatureRefusals += 1;
      mustBeRefusal(answer, 401, vector.reason);
      assert.ok(
        String(answer.body['error']).includes(vector.detail),
        `"${String(answer.body['error'])}" does not say "${vector.detail}"`,
      );
      mustHelp(vector, answer);
    });
  }

  it('consumed no nonce', async () => {
    assert.equal(await place.nonces(), 0);
  });

  it('saw at least 120 of them refused for their signature', () => {
    assert.ok(signatureRefusals >= 120, String(signatureRefusals));
  });
});

/** A 401 says what is missing, in the terms of its reason (Authentication 9). */
function mustHelp({ reason, nowSeconds }: Malformed, { body, headers }: WireAnswer): void {
  assert.equal(headers.get('www-authenticate'), 'Signature');
  if (reason === 'stale') {
    const hubTime = new Date((nowSeconds ?? malformed.nowSeconds) * 1000).toISOString();
    assert.equal(body['hubTime'], hubTime);
  }
  if (reason === 'incomplete-coverage') {
    const component = String(body['field']);
    assert.match(component, /^@?[a-z-]+$/);
    assert.ok(String(body['error']).includes(`"${component}"`));
  }
  if (reason === 'digest-mismatch') assert.equal(body['field'], 'content-digest');
  if (reason === 'unknown-key' && body['signatureBase'] !== undefined) {
    const base = String(body['signatureBase']);
    assert.match(base, /\n"@signature-params": \(/);
    assert.equal(body['signatureBaseSha256'], createHash('sha256').update(base).digest('hex'));
  }
}
