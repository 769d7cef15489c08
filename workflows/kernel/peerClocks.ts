import type { ReadClock } from '../../domain/time/clockCheck.ts';
import type { Clock } from './clock.ts';
import type { Settings } from './settings.ts';

/** The time that peers state in the `Date` of their answers (RFC 9110 6.6.1). */
export interface PeerClocks {
  readonly note: NoteDate;
  /** The clock of each peer that answered in the last minutes. */
  read(): readonly ReadClock[];
}
export type NoteDate = (answer: DatedAnswer) => void;

interface DatedAnswer {
  readonly url: string;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** Milliseconds from the request to the head of the answer. */
  readonly waitedMs: number;
}

const AGE_MS_MAX = 600_000;
/** A `Date` has whole seconds, rounded off. */
const HALF_SECOND_MS = 500;

/**
 * Only addresses that the operator configured count: any account can list an agent, whose answers
 * would otherwise decide whether the hub is ready.
 */
export function openPeerClocks(
  clock: Pick<Clock, 'elapsedMs'>,
  settings: Pick<Settings, 'models' | 'x402Facilitator' | 'crawlFeeds'>,
): PeerClocks {
  const trusted = new Set(
    configured(settings)
      .filter((url) => URL.canParse(url))
      .map(hostOf),
  );
  const clocks = new Map<string, { readonly at: number; readonly read: ReadClock }>();
  return {
    note({ url, headers, waitedMs }) {
      const date = Date.parse(headers.get('date')?.[0] ?? '');
      const host = URL.canParse(url) ? hostOf(url) : '';
      // An answer from a cache has the date of when it was made.
      if (!trusted.has(host) || Number.isNaN(date) || headers.has('age')) return;
      const at = clock.elapsedMs();
      const zero = date + HALF_SECOND_MS - (at - waitedMs / 2);
      const errorMs = HALF_SECOND_MS + waitedMs / 2;
      clocks.set(host, { at, read: { reference: host, kind: 'peer', zero, errorMs } });
    },
    read() {
      const elapsedMs = clock.elapsedMs();
      return [...clocks.values()].flatMap(({ at, read }) =>
        elapsedMs - at < AGE_MS_MAX ? [read] : [],
      );
    },
  };
}

function configured({
  models,
  x402Facilitator,
  crawlFeeds,
}: Pick<Settings, 'models' | 'x402Facilitator' | 'crawlFeeds'>): readonly string[] {
  return [
    ...models.flatMap(({ providers }) => providers.flatMap(({ url }) => url ?? [])),
    ...(x402Facilitator === undefined ? [] : [x402Facilitator]),
    ...crawlFeeds,
  ];
}

function hostOf(url: string): string {
  return new URL(url).hostname;
}
