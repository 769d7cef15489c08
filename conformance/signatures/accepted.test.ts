import assert from 'node:assert/strict';
import { mustBeRefusal, mustCarryHeaders } from '../harness/wire.ts';
import { openVectorHub, vectors, type VectorHub } from './_vectors.ts';

/** Past the signature: a refusal now concerns the request, not its signer. */
const NOT_ITS_SIGNATURE = (status: number): boolean => status !== 401 && status < 502;

describe('signature vectors that verify, over HTTP', () => {
  let place: VectorHub;
  before(async () => {
    place = await openVectorHub();
  });
  after(() => place.hub.close());
  beforeEach(() => place.forgetNonces());

  for (const vector of vectors.accepted) {
    it(vector.title, async () => {
      const answer = await place.send(vector);
      if (!vector.request.headers.some(([name]) => name === 'Host')) {
        // Right for a verifier, and still no HTTP/1.1 request (RFC 9112 3.2).
        mustBeRefusal(answer, 400, 'bad-request');
        return;
      }
      assert.ok(NOT_ITS_SIGNATURE(answer.status), `${answer.status} ${answer.text}`);
      mustCarryHeaders(answer);
    });
  }

  it('sends enough of them', () => {
    assert.ok(vectors.accepted.length >= 30);
  });
});
