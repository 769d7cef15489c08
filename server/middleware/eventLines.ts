import { oneLine } from '../../domain/lines.ts';

export interface StreamEvent {
  readonly event?: string;
  /** Sent back as `Last-Event-ID` by a reader that opens the stream again. */
  readonly id?: string;
  /** Milliseconds that such a reader waits. */
  readonly retry?: number;
  readonly data: unknown;
}

/** A connection that says nothing for longer is closed by some proxies. */
const QUIET_MS_MAX = 15_000;
const COMMENT = ': still here\n\n';

/** Server-sent events (HTML, 9.2); a comment, which readers skip, keeps a quiet connection open. */
export async function* eventLines(
  source: AsyncIterable<StreamEvent>,
  quietMs = QUIET_MS_MAX,
): AsyncGenerator<string> {
  const items = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const coming = items.next();
      let next = await orQuiet(coming, quietMs);
      while (next === undefined) {
        yield COMMENT;
        next = await orQuiet(coming, quietMs);
      }
      if (next.done === true) return;
      yield lineOf(next.value);
    }
  } finally {
    // A reader that stops ends the source, too.
    void items.return?.();
  }
}

function lineOf({ data, ...named }: StreamEvent): string {
  const text = oneLine(typeof data === 'string' ? data : JSON.stringify(data));
  const fields = NAMES.flatMap((name) =>
    named[name] === undefined ? [] : `${name}: ${named[name]}\n`,
  );
  return `${fields.join('')}data: ${text}\n\n`;
}

const NAMES = ['event', 'id', 'retry'] as const;

/** Undefined when nothing came for so long. */
async function orQuiet<T>(coming: Promise<T>, quietMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const quiet = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), quietMs);
  });
  try {
    return await Promise.race([coming, quiet]);
  } finally {
    clearTimeout(timer);
  }
}
