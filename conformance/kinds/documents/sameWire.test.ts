import assert from 'node:assert/strict';
import { document } from '../../harness/contract.ts';
import { at as valueAt } from '../../harness/must.ts';
import { validators } from '../../../generated/validators.js';

/** A schema that was rewritten for other generators. It must accept and reject the same values. */
interface Rewritten {
  readonly what: string;
  readonly schema: string;
  readonly around: (value: unknown) => unknown;
  readonly takes: readonly unknown[];
  readonly refuses: readonly unknown[];
}

const asked = { model: 'hub/echo', messages: [{ role: 'user', content: 'Hi.' }] };
const token = 'AAAAAAAAAAAAAAAAAAAAAA';
const OK = ['responses', '200', 'content', 'application/json', 'example'];
const HANDSHAKE = valueAt(document.paths, '/api/v1/handshake', 'post', ...OK) as object;
const part = { type: 'text', text: 'Hi.' };

const REWRITTEN: readonly Rewritten[] = [
  {
    what: 'stop',
    schema: 'models.completions/body',
    around: (stop) => ({ ...asked, stop }),
    takes: ['', 'x'.repeat(200), null, [], ['a', 'b', 'c', 'd']],
    refuses: ['x'.repeat(201), Array(5).fill('a'), [1], [null], 1, true, {}],
  },
  {
    what: 'tool_choice',
    schema: 'models.completions/body',
    around: (choice) => ({ ...asked, tool_choice: choice }),
    takes: [
      'auto',
      '',
      {},
      { type: 'function', function: { name: 'f' } },
      { type: 1, other: null },
      null,
    ],
    refuses: ['x'.repeat(65), 1, [], true],
  },
  {
    what: 'content of a message',
    schema: 'models.completions/body',
    around: (content) => ({ ...asked, messages: [{ role: 'user', content }] }),
    // A part without its text is refused by name (conformance/models/badInput.test.ts).
    takes: ['', 'Hi.', null, [], [part], [{ ...part, more: 1 }], [{ type: 'text' }]],
    refuses: [1, {}, true, [{ type: 'image', text: '' }], ['Hi.'], [null]],
  },
  {
    what: 'an amount of chips',
    schema: 'poker.act/body',
    around: (amount) => ({ token, move: 'bet', amount }),
    takes: ['0', '100', '9'.repeat(16), 0, 100, Number.MAX_SAFE_INTEGER],
    refuses: ['', '01', '-1', '1.5', '9'.repeat(17), -1, 1.5, 2 ** 53, null, true, [], {}],
  },
  {
    what: 'the work of a claim',
    schema: 'tasks.claimNext/200',
    around: (work) => ({ work }),
    takes: [null],
    refuses: [{}, 'x', 1, [], { id: 1 }, undefined],
  },
  {
    what: 'a boolean that is always true',
    schema: 'discovery.handshake/200',
    around: (introduced) => ({ ...HANDSHAKE, introduced }),
    takes: [true],
    refuses: [false, 'true', 1, null, undefined],
  },
];

describe('a rewritten schema', () => {
  for (const { what, schema, around, takes, refuses } of REWRITTEN) {
    it(`takes and refuses as before: ${what}`, () => {
      const check = validators[schema];
      assert.ok(check !== undefined);
      for (const value of takes) assert.ok(check(around(value)), JSON.stringify(value));
      for (const value of refuses) assert.ok(!check(around(value)), JSON.stringify(value));
    });
  }
});
