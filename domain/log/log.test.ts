import assert from 'node:assert/strict';
import {
  checkpointText,
  cosignatureBytes,
  readCheckpoint,
  readCosignature,
  readSignature,
  readVerifierKey,
  signatureLine,
} from './note.ts';
import { bundleOf } from './bundle.ts';
import { entryText, receiptsIn, receiptText } from './receipts.ts';
import { isSound, namedKey, signNote, verifierKey } from './signing.ts';
import { parseTilePath, tilePath, widthIn } from './tilePath.ts';

/** A note and its key, published with the Go package `golang.org/x/mod/sumdb/note`. */
const PETER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const NOTE = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;

describe('names of tiles', () => {
  it('are read and written as the specification shows them', () => {
    assert.deepEqual(parseTilePath('x001/x234/067'), { tile: 1_234_067, width: 256 });
    assert.deepEqual(parseTilePath('000.p/5'), { tile: 0, width: 5 });
    assert.deepEqual(parseTilePath('x001/000.p/255'), { tile: 1_000, width: 255 });
    for (const tile of [0, 1, 999, 1_000, 1_234_067, 10 ** 9, 10 ** 15 - 1]) {
      for (const width of [1, 112, 255, 256]) {
        assert.deepEqual(parseTilePath(tilePath({ tile, width })), { tile, width });
      }
    }
  });

  it('are refused in any other spelling', () => {
    const bad = ['', '1', '00', '0000', 'x000/001', '001/002', 'x001', 'x001/', '/001', '001/'];
    const partial = [
      '000.p/0',
      '000.p/256',
      '000.p/257',
      '000.p/05',
      '000.p/',
      '000.p',
      '000.p/1/2',
    ];
    const huge = [`${'x001/'.repeat(5)}001`, `${'x999/'.repeat(1_000)}001`, 'x-01/001', '００１'];
    for (const text of [...bad, ...partial, ...huge]) {
      assert.equal(parseTilePath(text), undefined, text.slice(0, 40));
    }
  });

  it('have the widths that a tree of 70,000 leaves has by the specification', () => {
    assert.deepEqual(
      [widthIn(70_000, 0, 272), widthIn(70_000, 0, 273), widthIn(70_000, 0, 274)],
      [256, 112, 0],
    );
    assert.deepEqual([widthIn(70_000, 1, 0), widthIn(70_000, 1, 1)], [256, 17]);
    assert.deepEqual([widthIn(70_000, 2, 0), widthIn(70_000, 3, 0)], [1, 0]);
    assert.deepEqual([widthIn(256, 0, 0), widthIn(256, 1, 0)], [256, 1]);
  });
});

describe('signed notes', () => {
  const root = new Uint8Array(32).fill(7);
  const key = { publicKey: new Uint8Array(32).fill(1), sign: () => new Uint8Array(64).fill(2) };

  it('have the key hash that other programs compute', () => {
    const peter = readVerifierKey(PETER);
    assert.ok(peter !== undefined && isSound(peter));
    assert.equal(verifierKey(peter.name, peter.type, peter.publicKey), PETER);
    assert.ok(!isSound({ ...peter, keyHash: 'c74f20a4' }));
    assert.ok(!isSound({ ...peter, name: 'Peter' }));
    const line = readSignature(NOTE.trimEnd().split('\n').at(-1) ?? '');
    assert.deepEqual([line?.name, line?.keyHash], ['PeterNeumann', 'c74f20a3']);
    assert.equal(line && signatureLine(line), `${NOTE.trimEnd().split('\n').at(-1) ?? ''}\n`);
  });

  it('are read back as they were written, with every signature', () => {
    const text = checkpointText({ origin: 'hub.example/log', size: 70_000, root });
    const note = signNote(text, 'hub.example/log', [key, key]);
    const read = readCheckpoint(note);
    assert.deepEqual(
      [read?.origin, read?.size, read?.root, read?.text],
      ['hub.example/log', 70_000, root, text],
    );
    assert.equal(read?.signatures.length, 2);
    assert.equal(
      read.signatures[0]?.keyHash,
      namedKey('hub.example/log', 1, key.publicKey).keyHash,
    );
  });

  it('keep extension lines in the signed text', () => {
    const text = `${checkpointText({ origin: 'a', size: 0, root })}more\n`;
    assert.equal(readCheckpoint(signNote(text, 'a', [key]))?.text, text);
  });

  it('are refused when a part has another form', () => {
    const good = signNote(checkpointText({ origin: 'a', size: 5, root }), 'a', [key]);
    assert.ok(readCheckpoint(good) !== undefined);
    const bad = [
      ...['', '\n', 'a\n5\n', good.slice(0, -1), good.replace('\n5\n', '\n05\n')],
      ...[good.replace('\n5\n', '\n-5\n'), good.replace('\n5\n', '\n9007199254740993\n')],
      ...[good.replace('\n5\n', '\n\n'), good.replace('Bwc=', 'Bw=='), good.replace('— a', '- a')],
      ...[good.replace('— a', '— a b'), good.replace('— a', '— a+b'), `\n${good}`, `${good}\n`],
      ...[
        good.replace('a\n', 'a\r\n'),
        good + 'x'.repeat(70_000),
        good.replace('a\n', 'a\u0000\n'),
      ],
      good + (good.split('\n').at(-2) ?? '').concat('\n').repeat(64),
    ];
    for (const note of bad) assert.equal(readCheckpoint(note), undefined, JSON.stringify(note));
  });

  it('carry the time of a cosignature in eight bytes', () => {
    const signature = new Uint8Array(64).fill(3);
    const bytes = cosignatureBytes({ seconds: 1_679_315_147, signature });
    assert.deepEqual(readCosignature(bytes), { seconds: 1_679_315_147, signature });
    assert.equal(readCosignature(bytes.subarray(1)), undefined);
    assert.equal(readCosignature(new Uint8Array(72).fill(255)), undefined);
  });
});

describe('leaves of the log', () => {
  const call = { id: 'c', at: 't', caller: 'k', operation: 'o', outcome: 'served', cost: '5' };

  it('have the entries of a bundle behind their lengths', () => {
    const digest = '0'.repeat(64);
    const entry = entryText('call', digest);
    assert.equal(entry, `{"digest":"${digest}","kind":"call","v":1}`);
    const bundle = Buffer.from(
      bundleOf([
        { kind: 'call', digest },
        { kind: 'call', digest },
      ]),
    );
    assert.equal(bundle.length, 2 * (2 + entry.length));
    assert.equal(bundle.readUInt16BE(2 + entry.length), entry.length);
    assert.equal(bundle.subarray(2, 2 + entry.length).toString(), entry);
  });

  it('are of the members that never change, in one order', () => {
    const text = receiptText('call', { ...call, why: 'anything' });
    assert.equal(
      text,
      'hub/log/call/v1\n{"at":"t","caller":"k","cost":"5","id":"c","operation":"o","outcome":"served"}',
    );
    assert.equal(receiptText('call', Object.fromEntries(Object.entries(call).reverse())), text);
    assert.ok(!receiptText('call', { ...call, payment: {} }).includes('cost'));
  });

  it('are found in the answers of the hub, and of final receipts alone', () => {
    const kinds = (value: unknown) => receiptsIn(value).map(({ kind }) => kind);
    assert.deepEqual(kinds(call), ['call']);
    assert.deepEqual(kinds({ receipts: [call, { ...call, outcome: 'running' }] }), ['call']);
    assert.deepEqual(kinds({ receipt: call }), ['call']);
    const line = { transferId: 't', seq: 1, amount: '5', direction: 'in', reason: 'task.reward' };
    const entries = [line, { ...line, reason: 'faucet' }, { ...line, direction: 'hold' }];
    const self = { ...line, counterparty: 'me' };
    const out = { ...line, reason: 'withdraw', direction: 'out' };
    assert.deepEqual(kinds({ owner: 'me', network: 'n', entries: [...entries, self, out] }), [
      'payout',
      'payout',
    ]);
    assert.deepEqual(kinds({ taskId: 't', raisedBy: 'k', ruledAt: 'x' }), ['ruling']);
    for (const value of [
      undefined,
      null,
      5,
      'x',
      [],
      {},
      { receipts: [null, 5] },
      { entries: [1] },
    ]) {
      assert.deepEqual(receiptsIn(value), []);
    }
  });

  it('are none of a receipt with members that the hub never writes', () => {
    for (const cost of [1.5, null, [], { a: {} }, '\ud800', true]) {
      assert.deepEqual(receiptsIn({ ...call, cost }), [], JSON.stringify(cost));
    }
  });
});
