import { open, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { sqlitePath } from '../../db/databaseUrl.ts';
import { databaseTime } from '../../db/operator/databaseClock.ts';
import type { Store } from '../../db/store.ts';
import { readChain } from '../../db/time/pulses.ts';
import {
  judgeClock,
  readingsOf,
  type ClockVerdict,
  type ReadClock,
} from '../../domain/time/clockCheck.ts';
import type { Clock } from './clock.ts';
import { certificateEnd } from './ownCertificate.ts';
import type { PeerClocks } from './peerClocks.ts';
import type { Keys } from './keys/keys.ts';
import type { Settings } from './settings.ts';

/** Why a process that answers should get no requests, and whether its clock can be believed. */
export interface Health {
  /** Compares the clock and writes a probe, and logs what has changed since. */
  check(): Promise<ClockVerdict>;
  /** Judges now by the clocks that the last check read. */
  clock(): ClockVerdict;
  /** Each fault that makes this process not ready, in a few words for `/readyz`. */
  faults(): readonly Fault[];
  /** The room of each folder in which this process stores, by the last check. */
  disks(): readonly Disk[];
  /** Reads when the certificate ends that callers of `HUB_BASE_URL` are shown. */
  checkCertificate(): Promise<void>;
  /** That moment; undefined while it is not known, and where the address has no TLS. */
  certificateEndsAt(): number | undefined;
  /** False while the disk takes no file, by the last check. */
  takesFiles(): boolean;
}

export const FAULT_KINDS = ['clock', 'disk', 'key'] as const;
interface Fault {
  readonly kind: (typeof FAULT_KINDS)[number];
  /** A few words for `/readyz`. */
  readonly text: string;
}

interface Disk {
  readonly folder: string;
  readonly freeBytes: number;
  /** Fewer bytes are free than `HUB_DISK_LOW_MB`. */
  readonly isLow: boolean;
}

export interface HealthParts {
  readonly settings: Pick<Settings, 'databaseUrl' | 'dataDir' | 'diskLowBytes' | 'baseUrl'>;
  readonly store: Store;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly log: Logger;
  readonly peers: PeerClocks;
  /** False where the clock is one that a test or a test world moves: it differs on purpose. */
  readonly comparesClock: boolean;
}

/** Larger than what file systems store inside of a directory. */
const PROBE_BYTES = 65_536;

export function openHealth(parts: HealthParts): Health {
  const { settings, store, clock, keys, log, peers } = parts;
  let read: readonly ReadClock[] = [];
  let newestPulse: number | undefined;
  let state: ClockVerdict['state'] = 'right';
  let full: string | undefined;
  let disks: readonly Disk[] = [];
  let certificate: number | undefined;
  const judged = (): ClockVerdict => {
    const [now, elapsedMs] = [clock.now(), clock.elapsedMs()];
    const clocks = parts.comparesClock ? [...read, ...peers.read()] : [];
    const aheadMs = now - (newestPulse ?? now);
    const pulse = { reference: 'pulse', kind: 'pulse', aheadMs, errorMs: 0 } as const;
    return judgeClock([...(aheadMs < 0 ? [pulse] : []), ...readingsOf(clocks, { now, elapsedMs })]);
  };
  const checkDisk = async (): Promise<ReadClock | undefined> => {
    const before = full;
    full = undefined;
    let files: ReadClock | undefined;
    for (const folder of foldersOf(settings)) {
      try {
        const began = clock.elapsedMs();
        const writtenAt = await writeProbe(join(folder, `.probe-${process.pid}`));
        const errorMs = (clock.elapsedMs() - began) / 2;
        files = { reference: 'files', kind: 'files', errorMs, zero: writtenAt - (began + errorMs) };
      } catch (error) {
        full = `${folder} cannot be written`;
        if (before === undefined) log.error({ err: error, folder }, 'the disk takes no file');
      }
    }
    if (before !== undefined && full === undefined) log.warn('the disk takes files again');
    return files;
  };
  const readClocks = async (): Promise<void> => {
    newestPulse = (await store.read(readChain)).head?.issuedAt;
    const files = await checkDisk();
    disks = await readDisks(settings);
    const began = clock.elapsedMs();
    const time = await store.readOne(databaseTime);
    const errorMs = (clock.elapsedMs() - began) / 2;
    const database = { reference: 'database', kind: 'database', errorMs } as const;
    read = [
      ...(time === undefined ? [] : [{ ...database, zero: time - (began + errorMs) }]),
      ...(files === undefined ? [] : [files]),
    ];
  };
  return {
    async check() {
      await readClocks();
      const verdict = judged();
      if (verdict.state !== state) {
        const level = verdict.state === 'wrong' ? 'error' : 'warn';
        log[level]({ clock: verdict.text ?? 'no difference' }, `the clock is ${verdict.state}`);
        state = verdict.state;
      }
      return verdict;
    },
    clock: judged,
    takesFiles: () => full === undefined,
    faults() {
      const verdict = judged();
      return [
        ...(verdict.state === 'wrong' ? [fault('clock', `wrong clock: ${verdict.text}`)] : []),
        ...(full === undefined ? [] : [fault('disk', full)]),
        ...(keys.canSign() ? [] : [fault('key', 'no signing key')]),
      ];
    },
    disks: () => disks,
    async checkCertificate() {
      const before = certificate;
      certificate = await certificateEnd(settings.baseUrl);
      const address = settings.baseUrl;
      if (certificate === undefined && before !== undefined) {
        log.warn({ address }, 'the own address shows no certificate');
      }
    },
    certificateEndsAt: () => certificate,
  };
}

function fault(kind: Fault['kind'], text: string): Fault {
  return { kind, text };
}

/** A folder that is gone has no room to report; its probe has failed as well. */
async function readDisks(settings: HealthParts['settings']): Promise<readonly Disk[]> {
  const read = [...foldersOf(settings)].map(async (folder) => {
    const { bavail, bsize } = await statfs(folder);
    const freeBytes = bavail * bsize;
    return { folder, freeBytes, isLow: freeBytes < settings.diskLowBytes };
  });
  const settled = await Promise.allSettled(read);
  return settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

/** The folders in which this process stores: its data, and the file of SQLite. */
function foldersOf({ databaseUrl, dataDir }: HealthParts['settings']): ReadonlySet<string> {
  const path = sqlitePath(databaseUrl);
  const isFile = path !== undefined && path !== ':memory:';
  return new Set([dataDir, ...(isFile ? [dirname(path)] : [])]);
}

/** Writes a file to the disk and removes it; returns when the file system says it was written. */
async function writeProbe(path: string): Promise<number> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(Buffer.alloc(PROBE_BYTES));
    await file.sync();
    return (await file.stat()).mtimeMs;
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
