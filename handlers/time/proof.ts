import { findStamp, oldestMinuteIn, type StampPlace } from '../../db/time/proofs.ts';
import { RETENTION_MS } from '../../db/time/retention.ts';
import { readChain, readPulse } from '../../db/time/pulses.ts';
import type { Reader } from '../../db/store.ts';
import { instant, iso, type Instant } from '../../domain/instant.ts';
import { endOf, minuteIso, minuteOf, parseMinute, type Minute } from '../../domain/time/minute.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Reply } from '../../workflows/kernel/call.ts';
import { provedPlace } from '../../workflows/time/proof.ts';
import { presentProof } from './present.ts';

/** A pulse comes right after the end of its minute; before a second has passed it is not late. */
const RETRY_SECONDS_MIN = 1;
const RETENTION_DAYS = RETENTION_MS / (24 * 60 * 60_000);

export const proof: Handler<'time.proof'> = async ({ path, query: { pulse } }, hub) => {
  const digest = path.digest.toLowerCase();
  const now = hub.clock.now();
  return hub.store.read(async (db) => {
    const asked = { db, digest, retired: minuteOf(instant(now - RETENTION_MS)) };
    const stamp = await stampFor(asked, pulse);
    const place = await provedPlace(db, stamp);
    if (place === undefined) return pending(digest, stamp.minute, now);
    return { status: 200, body: presentProof(digest, stamp.minute, place) };
  });
};

function pending(digest: string, minute: Minute, now: Instant): Reply<'time.proof'> {
  const readyAt = endOf(minute);
  const retryAfterSeconds = Math.max(Math.ceil((readyAt - now) / 1000), RETRY_SECONDS_MIN);
  return {
    status: 202,
    headers: { 'retry-after': String(retryAfterSeconds) },
    body: {
      digest,
      state: 'pending',
      minute: minuteIso(minute),
      readyAt,
      retryAfterSeconds,
    },
  };
}

interface Asked {
  readonly db: Reader;
  readonly digest: string;
  /** The newest minute whose leaves are past retention. */
  readonly retired: Minute;
}

/** The stamp that is asked for; refuses text that names no pulse, and leaves that are gone. */
function stampFor(asked: Asked, pulse: string | undefined): Promise<StampPlace> {
  if (pulse === undefined) return earliest(asked);
  if (/^\d+$/.test(pulse)) return inPulse(asked, Number(pulse));
  const minute = parseMinute(pulse);
  if (minute !== undefined) return inMinute(asked, minute);
  return refuse('bad-pulse', {
    error: `query.pulse names no minute; got ${JSON.stringify(pulse)}.`,
    hint: 'Send `pulse` of the promise, such as 2026-11-20T10:15:00Z, or a sequence number.',
    field: 'query.pulse',
  });
}

async function earliest({ db, digest, retired }: Asked): Promise<StampPlace> {
  const stamp = await findStamp(db, digest, { after: retired });
  return stamp ?? unknown(digest, `of the last ${RETENTION_DAYS} days`);
}

async function inMinute({ db, digest, retired }: Asked, minute: Minute): Promise<StampPlace> {
  mustHaveLeaves(minute, retired);
  const stamp = await findStamp(db, digest, { minute });
  return stamp ?? unknown(digest, `in ${minuteIso(minute)}`);
}

async function inPulse({ db, digest, retired }: Asked, seq: number): Promise<StampPlace> {
  const pulse = await readPulse(db, seq);
  if (pulse === undefined) return noPulse(db, seq);
  const own = parseMinute(pulse.body.minute);
  if (own !== undefined) mustHaveLeaves(own, retired);
  const stamp = await findStamp(db, digest, { seq });
  // Late leaves are older than their pulse, so they may be gone when its own are not.
  const oldest = stamp?.minute ?? (await oldestMinuteIn(db, seq));
  if (oldest !== null) mustHaveLeaves(oldest, retired);
  return stamp ?? unknown(digest, `in pulse ${seq}`);
}

async function noPulse(db: Reader, seq: number): Promise<never> {
  const { head } = await readChain(db);
  const newest = head === undefined ? 'none was issued yet' : `the newest is ${head.seq}`;
  return refuse('not-found', {
    error: `There is no pulse ${seq}; ${newest}.`,
    hint: 'Ask with `pulse` of the promise, which is a minute.',
  });
}

function unknown(digest: string, where: string): never {
  return refuse('not-found', {
    error: `The digest ${digest} has no stamp ${where}.`,
    hint: 'Stamp it with POST /api/v1/time/stamp; the promise names the minute to ask for.',
  });
}

function mustHaveLeaves(minute: Minute, retired: Minute): void {
  if (minute > retired) return;
  const at = iso(instant(minute + RETENTION_MS));
  refuse('leaves-retired', { error: `The leaves of ${minuteIso(minute)} were retired at ${at}.` });
}
