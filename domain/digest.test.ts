import assert from 'node:assert/strict';
import { hashSource, inlineSources, sha256, sha256Hex, sha512 } from './digest.ts';

/** The examples of FIPS 180-2, appendix B.1 and C.1. */
const SHA256_OF_ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const SHA512_OF_ABC =
  'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f';
const SOURCE_OF_ABC = "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='";
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('digests', () => {
  it('are those of the standard, of text as UTF-8 and of bytes', () => {
    assert.equal(hex(sha256('abc')), SHA256_OF_ABC);
    assert.equal(hex(sha512('abc')), SHA512_OF_ABC);
    assert.equal(sha256Hex('abc'), SHA256_OF_ABC);
    assert.equal(sha256Hex('\u00e9'), sha256Hex(new Uint8Array([0xc3, 0xa9])));
  });

  it('name each inline script and style of a page, and none that is empty or elsewhere', () => {
    assert.equal(hashSource('abc'), SOURCE_OF_ABC);
    const page = `<style>abc</style><script src="a.js"></script><script type="module">abc</script>
      <script>1 < 2
</script><scripts>abc</scripts>`;
    assert.equal(inlineSources(page, 'style'), SOURCE_OF_ABC);
    assert.equal(inlineSources(page, 'script'), `${SOURCE_OF_ABC} ${hashSource('1 < 2\n')}`);
    assert.equal(inlineSources('<p>abc</p>', 'script'), '');
  });
});
