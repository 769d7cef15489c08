import type { Store } from '../../db/store.ts';
import { canonical } from '../../domain/json.ts';
import type { OperationId } from '../../generated/operations.ts';
import type { Reply, Call } from './call.ts';
import type { Clock } from './clock.ts';
import { encodeReply, type Encodable } from './encode.ts';
import { putNewest } from './putNewest.ts';

/**
 * Answers of public reads that many clients ask alike. An answer is reused only while this process
 * has committed nothing since its read began, so a client sees its own writes. On PostgreSQL other
 * processes write too, so there it lives for a second at most (choices search.caches). A request
 * during the same read waits for it, and only the first one serializes the body.
 */
export interface ResponseCache {
  answer<Op extends OperationId>(
    call: Pick<Call<Op>, 'operation' | 'query'>,
    bounds: ResponseCacheBounds,
    read: () => Promise<Reply<Op>>,
  ): Promise<Reply<Op>>;
}

interface ResponseCacheBounds {
  /** Answers of the operation that are kept; the one that was asked for longest ago goes first. */
  readonly most: number;
  /** For how long, where it says its own time; a minute when absent. */
  readonly ms?: number;
}

const ALONE_MS = 60_000;
const SHARED_MS = 1_000;

interface Kept {
  readonly at: number;
  readonly answer: Promise<unknown>;
}

export function openResponseCache(
  store: Pick<Store, 'dialect' | 'commits'>,
  clock: Pick<Clock, 'elapsedMs'>,
): ResponseCache {
  const keptMs = store.dialect === 'sqlite' ? ALONE_MS : SHARED_MS;
  const all = new Map<string, Map<string, Kept>>();
  let commits = store.commits();
  const answersOf = (operation: string): Map<string, Kept> => {
    if (commits !== store.commits()) {
      all.clear();
      commits = store.commits();
    }
    const answers = all.get(operation) ?? new Map<string, Kept>();
    all.set(operation, answers);
    return answers;
  };
  return {
    answer<Op extends OperationId>(
      { operation, query }: Pick<Call<Op>, 'operation' | 'query'>,
      { most, ms = keptMs }: ResponseCacheBounds,
      read: () => Promise<Reply<Op>>,
    ): Promise<Reply<Op>> {
      const answers = answersOf(operation);
      const name = queryName(query);
      const now = clock.elapsedMs();
      const known = answers.get(name);
      answers.delete(name);
      if (known !== undefined && now - known.at < Math.min(ms, keptMs)) {
        answers.set(name, known);
        // Kept under the name of the operation, so it is of its type.
        return known.answer as Promise<Reply<Op>>;
      }
      const answer = read().then((reply) =>
        reply.encoded === undefined
          ? { ...encodeReply<Encodable>(operation, reply as unknown as Encodable), encoded: {} }
          : reply,
      ) as Promise<Reply<Op>>;
      putNewest(answers, [name, { at: now, answer }], most);
      answer.catch(() => answers.delete(name));
      return answer;
    },
  };
}

/** The same for the same query; amounts are no JSON. */
export function queryName(query: object): string {
  const texts = Object.entries(query).map(([name, value]: [string, unknown]) => {
    return [name, typeof value === 'bigint' ? `${value}` : value] as const;
  });
  return canonical(Object.fromEntries(texts));
}
