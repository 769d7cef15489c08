import assert from 'node:assert/strict';
import { rangeAt, spacesOf } from './window.ts';

const pagesOf = (...heights: number[]) => heights.map((height) => ({ height }));

describe('the window of a long list', () => {
  it('has the pages that have a part in it', () => {
    const pages = pagesOf(100, 100, 100, 100);
    assert.deepEqual(rangeAt(pages, 0, 100), { from: 0, to: 1 });
    assert.deepEqual(rangeAt(pages, 99, 201), { from: 0, to: 3 });
    assert.deepEqual(rangeAt(pages, 100, 200), { from: 1, to: 2 });
  });

  it('has one page at least, above the list, below it and of any length', () => {
    const pages = pagesOf(100, 100);
    assert.deepEqual(rangeAt(pages, -500, -200), { from: 0, to: 1 });
    assert.deepEqual(rangeAt(pages, 900, 1_200), { from: 1, to: 2 });
  });

  it('takes pages that were not drawn for as high as the others', () => {
    assert.deepEqual(rangeAt(pagesOf(200, 0, 400), 250, 450), { from: 1, to: 2 });
    assert.deepEqual(spacesOf(pagesOf(200, 0, 400), { from: 0, to: 1, kept: undefined }), [
      { kind: 'drawn', place: 0 },
      { kind: 'away', place: 1, height: 700 },
    ]);
  });

  it('leaves spaces whose heights and those of the drawn pages are all of it', () => {
    const pages = pagesOf(10, 20, 30, 40, 50);
    assert.deepEqual(spacesOf(pages, { from: 3, to: 4, kept: 1 }), [
      { kind: 'away', place: 0, height: 10 },
      { kind: 'drawn', place: 1 },
      { kind: 'away', place: 2, height: 30 },
      { kind: 'drawn', place: 3 },
      { kind: 'away', place: 4, height: 50 },
    ]);
  });
});
