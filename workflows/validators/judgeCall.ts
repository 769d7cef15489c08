import type { TaskFile } from '../../domain/tasks/files.ts';
import { readJudgement } from '../../domain/validators/judgement.ts';
import type { Judgement } from '../../domain/validators/judgement.ts';
import type { Failed, Hub } from '../kernel/hub.ts';
import { head } from '../../domain/text.ts';

/** Exactly what a judge is sent, and nothing else (Verdict call). */
export interface JudgeCase {
  readonly taskId: string;
  readonly attemptId: string;
  readonly title: string;
  readonly description: string;
  readonly input: unknown;
  readonly result: unknown;
  /** Files of the brief and of the result, which a signed `tasks.file` reads. */
  readonly inputFiles?: readonly TaskFile[];
  readonly files?: readonly TaskFile[];
}

/** `unasked` is the hub's own doing and no fault of the judge: it closes, or is too busy. */
export type JudgeAnswer =
  | { readonly kind: 'judged'; readonly judgement: Judgement; readonly ms: number }
  | { readonly kind: 'fault'; readonly message: string }
  | { readonly kind: 'unasked'; readonly closing: boolean };

/** A judge answers within this time (choices validators.calls). */
export const ANSWER_MS_MAX = 30_000;
const BYTES_MAX = 65_536;
/** The guard's own limits are the net below the clock of the hub, which ends a call in time. */
const NET_MS = ANSWER_MS_MAX + 1_000;
const FAULT_LENGTH_MAX = 500;

/** Calls one judge, signed by the hub; `signal` is raised when its time is over. */
export async function askJudge(
  hub: Hub,
  endpoint: string,
  { taskId, attemptId, title, description, input, ...more }: JudgeCase,
  signal: AbortSignal,
): Promise<JudgeAnswer> {
  const startedAt = hub.clock.elapsedMs();
  const body = { taskId, attemptId, title, description, input: input ?? null, ...more };
  const outcome = await hub.outbound.fetch({
    url: endpoint,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/plain' },
    body: Buffer.from(JSON.stringify(body)),
    // An endpoint answers itself: who is sent on could be sent anywhere, with the case in hand.
    limits: { totalMs: NET_MS, firstByteMs: NET_MS, bytesMax: BYTES_MAX, redirectsMax: 0 },
    sign: true,
    signal,
  });
  if (outcome.kind === 'failed') return unheard(outcome, signal);
  const { status } = outcome;
  if (status < 200 || status > 299) return fault(`The endpoint answered ${status}.`);
  const judgement = readJudgement(outcome.body);
  if (typeof judgement === 'string') return fault(judgement);
  return { kind: 'judged', judgement, ms: Math.round(hub.clock.elapsedMs() - startedAt) };
}

function unheard({ reason, message }: Failed, signal: AbortSignal): JudgeAnswer {
  if (reason === 'busy') return { kind: 'unasked', closing: false };
  if (reason !== 'cancelled') return fault(message);
  if (!signal.aborted) return { kind: 'unasked', closing: true };
  return fault(`There was no whole answer within ${ANSWER_MS_MAX / 1000} s.`);
}

function fault(message: string): JudgeAnswer {
  return { kind: 'fault', message: head(message, FAULT_LENGTH_MAX) };
}
