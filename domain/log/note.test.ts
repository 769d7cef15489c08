import assert from 'node:assert/strict';
import {
  checkpointText,
  cosignatureBytes,
  cosignedText,
  keyHashInput,
  readCheckpoint,
  readCosignature,
  readSignature,
  readVerifierKey,
  signatureLine,
  verifierKeyText,
} from './note.ts';
import { signNote } from './signing.ts';

const root = new Uint8Array(32).fill(7);
const ROOT = Buffer.from(root).toString('base64');
const key = { publicKey: new Uint8Array(32).fill(1), sign: () => new Uint8Array(64).fill(2) };
const sign = (text: string, signatures = 1): string =>
  signNote(
    text,
    'a',
    Array.from({ length: signatures }, () => key),
  );

describe('a checkpoint', () => {
  it('is origin, size and root, each on its line', () => {
    assert.equal(checkpointText({ origin: 'a', size: 5, root }), `a\n5\n${ROOT}\n`);
  });

  it('is read up to its bounds, and not beyond', () => {
    const size = (text: string) => readCheckpoint(sign(`a\n${text}\n${ROOT}\n`))?.size;
    assert.deepEqual(
      [size('9007199254740991'), size('9007199254740992')],
      [Number.MAX_SAFE_INTEGER, undefined],
    );
    const signed = (count: number) =>
      readCheckpoint(sign(`a\n5\n${ROOT}\n`, count))?.signatures.length;
    assert.deepEqual([signed(64), signed(65)], [64, undefined]);
    const long = (length: number): string => {
      const [head, note] = [`a\n5\n${ROOT}\n`, sign(`a\n5\n${ROOT}\n`)];
      return sign(`${head}${'x'.repeat(length - note.length - 1)}\n`);
    };
    assert.equal(long(65_536).length, 65_536);
    assert.ok(readCheckpoint(long(65_536)) !== undefined);
    assert.equal(readCheckpoint(long(65_537)), undefined);
  });

  const good = sign(`a\n5\n${ROOT}\n`);
  const line = good.split('\n').at(-2) ?? '';
  const root31 = Buffer.from(root.subarray(1)).toString('base64');
  const wrong: Readonly<Record<string, string>> = {
    'without an origin': sign(`\n5\n${ROOT}\n`),
    'without a size': sign(`a\n${ROOT}\n`),
    'without a root': sign('a\n5\n'),
    'with a root of 31 bytes': sign(`a\n5\n${root31}\n`),
    'with a root in another alphabet': sign(`a\n5\n${'-'.repeat(43)}=\n`),
    'with an empty line of its own': sign(`a\n5\n${ROOT}\n\nmore\n`),
    'with a control character': sign(`a\u0001\n5\n${ROOT}\n`),
    'with bytes that were not UTF-8': sign(`a\ufffd\n5\n${ROOT}\n`),
    'without a signature': `a\n5\n${ROOT}\n`,
    'with an empty signature': `a\n5\n${ROOT}\n\n`,
    'with a signature of another form beside one': `${good}none\n`,
    'without its last line feed': good.slice(0, -1),
    'with text behind its signature': `${good}\n`,
  };
  for (const [what, note] of Object.entries(wrong)) {
    it(`is none ${what}`, () => {
      assert.ok(readCheckpoint(good) !== undefined && line.startsWith('— a '));
      assert.equal(readCheckpoint(note), undefined);
    });
  }
});

describe('the line of a signature', () => {
  const of = (name: string, bytes: readonly number[]): string =>
    `— ${name} ${Buffer.from(bytes).toString('base64')}`;

  it('is a name, four bytes of its key, and at least one more', () => {
    assert.deepEqual(readSignature(of('a', [0, 1, 0xab, 255, 9])), {
      name: 'a',
      keyHash: '0001abff',
      signature: Uint8Array.of(9),
    });
    const signature = Uint8Array.of(9);
    assert.equal(
      signatureLine({ name: 'a', keyHash: '0001abff', signature }),
      `${of('a', [0, 1, 0xab, 255, 9])}\n`,
    );
  });

  const bytes = [0, 1, 2, 3, 4];
  const wrong: readonly string[] = [
    ...['', '— a', '— a ', of('a', [0, 1, 2, 3]), of('a b', bytes), of('a+b', bytes)],
    ...[of('\u0001', bytes), of('\ufffd', bytes), of('a', bytes).slice(1), ` ${of('a', bytes)}`],
    ...[`${of('a', bytes)} `, '— a AAAAAAB=', '— a AAAAAAA', '— a A'],
  ];
  for (const line of wrong) {
    it(`is not ${JSON.stringify(line)}`, () => assert.equal(readSignature(line), undefined));
  }
});

describe('the key of a verifier', () => {
  const publicKey = Uint8Array.from(key.publicKey);
  const known = { name: 'a', keyHash: '0001abff', type: 4, publicKey };
  const encoded = Buffer.of(4, ...publicKey).toString('base64');

  it('is its name, its hash, and its type before its bytes', () => {
    assert.equal(verifierKeyText(known), `a+0001abff+${encoded}`);
    assert.deepEqual(readVerifierKey(`a+0001abff+${encoded}`), known);
    assert.deepEqual(keyHashInput('a', 4, publicKey), Uint8Array.of(97, 10, 4, ...publicKey));
  });

  const short = Buffer.of(4, ...publicKey.subarray(1)).toString('base64');
  const wrong: readonly string[] = [
    ...['', `a+0001abff+${short}`, `a+0001ABFF+${encoded}`, `a+0001ab+${encoded}`],
    ...[`a b+0001abff+${encoded}`, `+0001abff+${encoded}`, `b+a+0001abff+${encoded}`],
    ...[`a+0001abff+${encoded} `, `a+0001abff+${encoded}\n`, `a+0001abff+${encoded}====`],
    ...[`a\u0001+0001abff+${encoded}`, 'a+0001abff+A'],
  ];
  for (const text of wrong) {
    it(`is not ${JSON.stringify(text)}`, () => assert.equal(readVerifierKey(text), undefined));
  }
});

describe('a cosignature', () => {
  it('is of the text with its time before it', () => {
    assert.equal(cosignedText('a\n5\n', 7), 'cosignature/v1\ntime 7\na\n5\n');
  });

  it('has 72 bytes and a time that a number holds', () => {
    const signature = new Uint8Array(64).fill(3);
    const last = cosignatureBytes({ seconds: Number.MAX_SAFE_INTEGER, signature });
    assert.deepEqual(readCosignature(last), { seconds: Number.MAX_SAFE_INTEGER, signature });
    const beyond = Uint8Array.of(0, 0x20, 0, 0, 0, 0, 0, 0, ...signature);
    assert.equal(readCosignature(beyond), undefined);
    assert.equal(readCosignature(Uint8Array.of(...last, 0)), undefined);
    // The bytes may stand anywhere in a larger buffer.
    const within = Uint8Array.of(1, 2, 3, ...last).subarray(3);
    assert.equal(readCosignature(within)?.seconds, Number.MAX_SAFE_INTEGER);
  });
});
