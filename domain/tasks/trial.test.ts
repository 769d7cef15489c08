import assert from 'node:assert/strict';
import { sha256Hex } from '../digest.ts';
import { at, must, T0, WORKER } from './fixture.ts';
import { BOARD_ACCOUNT, isTrial } from './model.ts';
import { publish } from './publish.ts';
import { judgeTrial, PAPER_BYTES, trialDraft, trialPaper } from './trial.ts';

const paperOf = (seed: number) =>
  trialPaper(
    Uint8Array.from({ length: PAPER_BYTES }, (_, place) => (seed * 37 + place * 101) % 256),
  );

describe('trial papers', () => {
  it('are the same for the same chance, and another for another', () => {
    assert.deepEqual(paperOf(1), paperOf(1));
    const texts = new Set(Array.from({ length: 200 }, (_, seed) => paperOf(seed).text));
    assert.ok(texts.size > 190);
  });

  it('are read as the invoice of a seller, and of the least numbers for no chance at all', () => {
    const { text, answers } = trialPaper(
      Uint8Array.from({ length: PAPER_BYTES }, (_, place) => (place * 101) % 256),
    );
    const lines = [
      'North Quay Print: invoice V41-9039, replaces offer OF-58161',
      'Issued on 8 October 2021 to Ikola Oy 437 for order PO-58161.',
      '7 x pallets at 12.13',
      '3 x toner at 29.93',
      'To pay: 174.70 within 15 days.',
    ];
    assert.equal(text, lines.join('\n'));
    assert.deepEqual(answers, {
      number: 'V41-9039',
      customer: 'Ikola Oy 437',
      issued: '2021-10-08',
      total: '174.70',
      reference: 'PO-58161',
      digest: sha256Hex(text),
    });
    const least = [
      'Harlan Supply: invoice A10-1000, replaces offer OF-10000',
      'Issued on 1 January 2020 to Meridian Foods 100 for order PO-10000.',
      '2 x paper rolls at 1.50',
      '2 x paper rolls at 1.50',
      'To pay: 6.00 within 10 days.',
    ];
    assert.equal(trialPaper(new Uint8Array(PAPER_BYTES)).text, least.join('\n'));
  });

  it('add up to what is to be paid', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const { text, answers } = paperOf(seed);
      const lines = [...text.matchAll(/^(\d+) x [a-z ]+ at (\d+)\.(\d\d)$/gm)];
      assert.equal(lines.length, 2);
      const cents = lines.reduce(
        (sum, [, count, units, rest]) => sum + Number(count) * Number(`${units}${rest}`),
        0,
      );
      assert.equal(answers.total, (cents / 100).toFixed(2));
    }
  });

  it('say each of their answers, the date in words and the digest not at all', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const { text, answers } = paperOf(seed);
      const { digest, issued, ...facts } = answers;
      for (const answer of Object.values(facts)) assert.ok(text.includes(answer), answer);
      assert.ok(!text.includes(digest) && !text.includes(issued));
      assert.equal(digest, sha256Hex(text));
      assert.match(issued, /^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$/);
      assert.match(answers.total, /^[1-9]\d*\.\d\d$/);
    }
  });

  it('are passed by all answers, and by nothing that lacks or changes one', () => {
    const { answers } = paperOf(7);
    assert.deepEqual(judgeTrial(answers, { ...answers, more: 1 }), { accepted: true });
    for (const name of Object.keys(answers)) {
      for (const value of ['x', 5, null, undefined]) {
        const verdict = judgeTrial(answers, { ...answers, [name]: value });
        assert.ok(!verdict.accepted);
        assert.deepEqual(
          verdict.refused.map(({ path }) => path),
          [`/${name}`],
        );
      }
    }
    for (const result of [null, 'text', [], 3]) {
      assert.ok(!judgeTrial(answers, result).accepted);
    }
  });
});

describe('an answer of a trial', () => {
  it('is refused without the right one, and with the beginning of what was said', () => {
    const { answers } = paperOf(7);
    const refusal = (got: string): object => ({
      accepted: false,
      refused: [
        {
          path: '/total',
          rule: 'trial.answer',
          expected: 'what the document says',
          got,
          text: '/total: not what the document says (trial.answer)',
        },
      ],
    });
    const cases = [
      ['x', 'x'],
      ['y'.repeat(80), 'y'.repeat(80)],
      ['y'.repeat(81), `${'y'.repeat(79)}…`],
      [12.5, '12.5'],
      [{ a: 1 }, '{"a":1}'],
      [undefined, 'null'],
    ] as const;
    for (const [total, got] of cases) {
      assert.deepEqual(judgeTrial(answers, { ...answers, total: total }), refusal(got));
    }
  });

  it('lacks all six where no object is delivered', () => {
    const verdict = judgeTrial(paperOf(7).answers, ['x']);
    assert.ok(!verdict.accepted);
    assert.deepEqual(
      verdict.refused.map(({ path, got }) => [path, got]),
      ['number', 'customer', 'issued', 'total', 'reference', 'digest'].map((name) => [
        `/${name}`,
        'null',
      ]),
    );
  });
});

describe('the task of a trial', () => {
  it('gives ten minutes and one delivery, and shows no answer but in its document', () => {
    const paper = paperOf(7);
    const draft = trialDraft(WORKER, paper, 'sandbox', T0);
    const form = 'Read input.document and deliver an object with six texts.';
    assert.deepEqual(draft, {
      requester: BOARD_ACCOUNT,
      title: 'Entrance trial',
      description: `${form} number: of the invoice. customer: whom it was issued to, as written. issued: the date as YYYY-MM-DD. total: the amount to pay, such as 12.50. reference: of the order. digest: SHA-256 of the UTF-8 bytes of input.document, in lower-case hex. There is one delivery, and 10 minutes for it.`,
      network: 'sandbox',
      input: { account: WORKER, document: paper.text },
      acceptance: {
        kind: 'fields',
        checks: [
          { path: '/number', minLength: 1 },
          { path: '/customer', minLength: 1 },
          { path: '/issued', minLength: 1 },
          { path: '/total', minLength: 1 },
          { path: '/reference', minLength: 1 },
          { path: '/digest', minLength: 64 },
        ],
      },
      verification: 'automatic',
      mode: 'exclusive',
      disputeWindowSeconds: 0,
      maxAttempts: 1,
      tags: ['trial'],
      deadline: at(600),
    });
    const { task } = must(publish(draft, 'task', T0));
    assert.ok(isTrial(task) && task.reward === undefined);
  });
});
