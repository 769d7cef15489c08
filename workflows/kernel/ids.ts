import { randomBytes } from 'node:crypto';
import type { Ids, Clock } from './clock.ts';

/**
 * UUID version 7 (RFC 9562 5.7). Within one process ids also rise inside a millisecond, by the
 * 12-bit counter of method 1, so newest-first pages by id are stable.
 */
export function openIds(clock: Clock): Ids {
  const take = randomPool();
  let lastMs = 0;
  let counter = 0;
  return {
    uuid() {
      const bytes = take(UUID_BYTES);
      const ms = Math.max(clock.now(), lastMs);
      counter = ms === lastMs ? counter + 1 : bytes.readUInt8(6);
      lastMs = ms;
      if (counter > COUNTER_MAX) {
        lastMs += 1;
        counter = 0;
      }
      bytes.writeUIntBE(lastMs, 0, 6);
      bytes.writeUInt16BE(0x7000 | counter, 6);
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
      const hex = bytes.toString('hex');
      const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
      return `${groups.join('-')}-${hex.slice(20)}`;
    },
  };
}

const UUID_BYTES = 16;
const COUNTER_MAX = 0xfff;
const POOL_BYTES = 4096;

/** Random bytes bought in bulk: one call for each id cost more than everything else of the id. */
function randomPool(): (count: number) => Buffer {
  let pool = randomBytes(POOL_BYTES);
  let used = 0;
  return (count) => {
    if (used + count > pool.length) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    used += count;
    return pool.subarray(used - count, used);
  };
}
