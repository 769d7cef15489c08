import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { awaitContent } from '../../../db/files/contents.ts';
import {
  claimSnapshot,
  lastSnapshot,
  replaceSnapshot,
  type Snapshot,
} from '../../../db/search/snapshots.ts';
import type { Store } from '../../../db/store.ts';
import { instant } from '../../../domain/instant.ts';
import { INDEX_FORM } from '../../../domain/search/index.ts';
import type { Clock } from '../clock.ts';
import type { FileStore } from '../files/fileStore.ts';
import type { IndexHost } from './host.ts';

/**
 * Snapshots of the index in the file store; the database says which is newest, with a digest of its
 * bytes. A missing or damaged one costs time alone: the index is then made of all documents.
 */
export interface Snapshots {
  last(): Promise<Snapshot | undefined>;
  /** Makes an index the one of a snapshot, which it returns; a failure leaves the index as it was. */
  restore(to: IndexHost, snapshot: Snapshot): Promise<Snapshot>;
  /** Whether this process is to write the one after `last`. */
  claim(last: Snapshot | undefined): Promise<boolean>;
  /** Waits for the one that another process writes after `last`; undefined if that takes long. */
  next(last: Snapshot | undefined, signal: AbortSignal): Promise<Snapshot | undefined>;
  /** Writes an index into a file; returns what stores it as the newest snapshot and ends the claim. */
  write(of: IndexHost): Promise<() => Promise<void>>;
}

/** A write that fails keeps all processes from the next one for so long. */
const CLAIM_MS = 600_000;
/** About what a large index takes to be made. */
const WAIT_MS_MAX = 60_000;
const WAIT_STEP_MS = 500;
/** The form of the snapshots that this process reads and writes. */
export const SNAPSHOT_FORM = `${INDEX_FORM} ${endianness()}`;
const DIGEST_LENGTH = 64;

/** Returns the SHA-256 of a snapshot's bytes, in hex, from the name of its object. */
export const digestOf = (object: string): string => object.slice(0, DIGEST_LENGTH);

export function openSnapshots(store: Store, files: FileStore, clock: Clock): Snapshots {
  const readLast = (): Promise<Snapshot | undefined> =>
    store.readOne((db) => lastSnapshot(db, SNAPSHOT_FORM));
  const emptyPath = async (): Promise<string> => {
    await mkdir(files.uploads, { recursive: true });
    return join(files.uploads, randomUUID());
  };
  const removing = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } finally {
      await rm(path, { force: true });
    }
  };
  return {
    last: readLast,
    async restore(to, snapshot) {
      const { seq, object } = snapshot;
      const path = await emptyPath();
      return removing(path, async () => {
        await files.copy(object, path);
        const sha256 = digestOf(object);
        to.documents = (await to.ask({ is: 'restore', path, sha256 })).documents;
        to.known = seq;
        return snapshot;
      });
    },
    claim(last) {
      const at = clock.now();
      const claim = { after: last?.seq ?? 0, at, until: instant(at + CLAIM_MS) };
      return store.write((tx) => claimSnapshot(tx, SNAPSHOT_FORM, claim));
    },
    async next(last, signal) {
      for (let waited = 0; waited < WAIT_MS_MAX; waited += WAIT_STEP_MS) {
        await sleep(WAIT_STEP_MS, undefined, { signal });
        const newest = await readLast();
        if (newest?.object !== last?.object) return newest;
      }
      return undefined;
    },
    async write(of) {
      const [path, seq] = [await emptyPath(), of.known];
      const { saved } = await of.ask({ is: 'save', path });
      if (saved === undefined) throw new Error('the search worker wrote no snapshot');
      const { sha256, bytes } = saved;
      const object = `${sha256}.${randomUUID()}`;
      return () =>
        removing(path, async () => {
          await store.write((tx) => awaitContent(tx, { object, sha256, bytes }, clock.now()));
          await files.put(object, path);
          await store.write((tx) =>
            replaceSnapshot(tx, SNAPSHOT_FORM, { seq, object }, clock.now()),
          );
        });
    },
  };
}
