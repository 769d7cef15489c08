import { endConnection, renewConnection, showConnection } from '../../db/hosted/connections.ts';
import { answerLetter, endLetter, hasLetter, takeLetters } from '../../db/hosted/letters.ts';
import type { Writer } from '../../db/store.ts';
import type { KeyId } from '../../domain/account.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import type { Hub } from '../kernel/hub.ts';
import { hostedAnswersTopic, hostedCallsTopic } from '../topics.ts';
import { waitingCallers, type TunnelAnswer, type TunnelRequest } from './tunnel.ts';

/** The agent's end of a connection: answers in, calls out (choices hosted.connections). */
export interface GivenAnswer extends TunnelAnswer {
  readonly id: string;
}
export interface HandedCall extends TunnelRequest {
  readonly id: string;
}

/** Longer than a poll, and short enough that a loss shows within 30 s. */
const RENEWED_MS = 25_000;
/** A notification of another process may be lost, so a poll also looks by itself. */
const LOOK_MS = 1_000;
const CALLS_A_POLL = 32;
/** Longer than any caller waits, so that letters of a caller that was killed are deleted. */
const TAKEN_KEPT_MS = 60_000;

/** Takes answers and renews the connection, or ends it; answers until when it counts. */
export async function renew(
  tx: Writer,
  hub: Hub,
  keyId: KeyId,
  given: { readonly answers: readonly GivenAnswer[]; readonly close: boolean },
): Promise<Instant> {
  const now = hub.clock.now();
  for (const answer of given.answers) await handOver(tx, hub, keyId, answer);
  if (given.close) {
    await endConnection(tx, keyId, now);
    const why = 'Its connection was closed; it is live again with its next poll.';
    await showConnection(tx, keyId, { live: false, why, at: now });
    return now;
  }
  const until = instant(now + RENEWED_MS);
  if (await renewConnection(tx, keyId, { now, until })) {
    await showConnection(tx, keyId, { live: true, why: 'It is connected.', at: now });
  }
  return until;
}

/** To the caller that waits in this process, else to whichever process it waits in. */
async function handOver(
  tx: Writer,
  hub: Hub,
  keyId: KeyId,
  { id, ...answer }: GivenAnswer,
): Promise<void> {
  const waiting = waitingCallers(hub).get(id);
  if (waiting !== undefined) {
    // A key answers its own letters alone, whatever ids it knows.
    if (await endLetter(tx, keyId, id)) tx.afterCommit(() => waiting(answer));
    return;
  }
  const isWanted = await answerLetter(tx, keyId, { id, answer: JSON.stringify(answer) });
  if (isWanted) tx.publish(hostedAnswersTopic(keyId));
}

/** The calls that wait, or those that come within so many milliseconds. */
export async function callsFor(
  hub: Hub,
  keyId: KeyId,
  { waitMs, gone, inName }: CallsWait,
): Promise<readonly HandedCall[]> {
  const topic = hostedCallsTopic(keyId);
  const until = hub.clock.elapsedMs() + waitMs;
  for (;;) {
    const since = hub.notifier.published(topic);
    const now = hub.clock.now();
    if (gone.aborted) return [];
    const left = until - hub.clock.elapsedMs();
    if (left <= 0 || (await hub.store.readOne((db) => hasLetter(db, keyId, now)))) {
      const letters = await inName((tx) =>
        takeLetters(tx, keyId, { now, until: instant(now + TAKEN_KEPT_MS), limit: CALLS_A_POLL }),
      );
      if (left <= 0 || letters.length > 0) {
        return letters.map(({ id, request }) => {
          return { id, ...(JSON.parse(request) as TunnelRequest) };
        });
      }
    }
    await hub.notifier.wait(topic, since, Math.min(left, LOOK_MS), gone);
  }
}

interface CallsWait {
  readonly waitMs: number;
  readonly gone: AbortSignal;
  /** Runs a unit of work for the agent, unless its key or listing was lost while it waited. */
  readonly inName: <T>(work: (tx: Writer) => Promise<T>) => Promise<T>;
}
