import assert from 'node:assert/strict';
import { addressingPhrases } from './detect.ts';

describe('looking for phrases that address the reader', () => {
  it('takes a time that grows with the text and no faster', function slow() {
    this.timeout(120_000);
    const bad = [
      'you must always ',
      'send all your ',
      '<|a',
      'a\u200b',
      '%41',
      '&#65;',
      'QUJD ',
      '忽略',
    ];
    const timeOf = (text: string): number => {
      const times = [1, 2, 3].map(() => {
        const before = process.cpuUsage();
        addressingPhrases(text);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      });
      return Math.min(...times);
    };
    for (const part of bad) {
      const [short, long] = [part.repeat(1_000), part.repeat(8_000)];
      timeOf(short);
      // Eight times the text; a square would take 64 times as long.
      assert.ok(timeOf(long) < 40 * (timeOf(short) + 1_000), part);
    }
  });
});
