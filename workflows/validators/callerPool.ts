import { instant } from '../../domain/instant.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Hub } from '../kernel/hub.ts';
import { ANSWER_MS_MAX } from './judgeCall.ts';

/** One call that was claimed, from asking to writing down what came of it. */
export interface JudgeCall {
  /** Returns whether the hub closes; then no more calls are taken. */
  run(signal: AbortSignal): Promise<boolean>;
}

const OUT_MAX = 32;
/** How often the clock is asked whether a call took too long. */
const LOOK_MS = 200;
/** Time that a claim stays valid beyond the call itself, so that its outcome can be recorded. */
const MARGIN_MS = 15_000;

/** When a call that goes out now counts as lost, and may be made again by any process. */
export function lostAt(now: Instant): Instant {
  return instant(now + ANSWER_MS_MAX + MARGIN_MS);
}

/**
 * Runs what is due until nothing is due and nothing is out. A slow judge delays no other call: what
 * becomes due meanwhile goes out beside it. The hub's clock decides when a call took too long.
 */
export async function runJudgeCalls(
  hub: Hub,
  topic: string,
  take: (limit: number) => Promise<readonly JudgeCall[]>,
): Promise<void> {
  const out = new Set<Promise<void>>();
  let closing = false;
  let failure: unknown;
  const send = (judgeCall: JudgeCall): void => {
    const caller = new AbortController();
    const deadline = hub.clock.now() + ANSWER_MS_MAX;
    const watch = setInterval(() => {
      if (hub.clock.now() >= deadline) caller.abort();
    }, LOOK_MS);
    const running = judgeCall
      .run(caller.signal)
      .then(
        (closes) => {
          closing ||= closes;
        },
        (error: unknown) => {
          failure ??= error;
        },
      )
      .finally(() => {
        clearInterval(watch);
        out.delete(running);
      });
    out.add(running);
  };
  for (;;) {
    const seen = hub.notifier.published(topic);
    if (!closing && failure === undefined && out.size < OUT_MAX) {
      try {
        for (const judgeCall of await take(OUT_MAX - out.size)) send(judgeCall);
      } catch (error) {
        failure = error;
      }
    }
    if (out.size === 0) break;
    await Promise.race([...out, hub.notifier.wait(topic, seen, LOOK_MS)]);
  }
  if (failure !== undefined) throw failure;
}
