import assert from 'node:assert/strict';

interface Typed {
  readonly value: number;
}

describe('a failure', () => {
  it('is shown with its line', () => {
    const made: Typed = { value: 1 };
    assert.deepEqual(made, { value: 2 });
  });
  it('does not stop the next test', () => undefined);
});
