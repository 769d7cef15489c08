import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readErrorCodes } from './document.ts';

const ROW = /^\| `([a-z-]+)` +\| (\d{3}) +\| `(wait|same|later)` +\|/gm;

describe('the table of what to send again (docs/sdks.md)', () => {
  it('has every code that may be, as the contract has it', () => {
    const page = readFileSync('docs/sdks.md', 'utf8');
    const shown = [...page.matchAll(ROW)].map(([, ...cells]) => cells.join(' '));
    const meant = readErrorCodes().flatMap(({ code, status, retry }) =>
      retry === undefined ? [] : [`${code} ${status} ${retry}`],
    );
    assert.deepEqual(shown.sort(), meant.sort());
    assert.ok(meant.length > 5);
  });

  it('has a header or a member that says when, for each that clients send again', () => {
    for (const { code, retry, hint } of readErrorCodes()) {
      if (retry === 'wait' || retry === 'same') assert.match(hint, /[Ww]ait/, code);
    }
  });
});
