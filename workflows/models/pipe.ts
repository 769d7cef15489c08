/** A bounded queue: the provider waits while the caller does not read, so a stall is bounded. */
export interface Pipe<T> extends AsyncIterable<T> {
  /** Takes an item in; ends when there is room for another. */
  push(item: T, size: number): Promise<void>;
  /** Nothing more comes. What is in it can still be read. */
  close(): void;
  /** Empties the pipe and ends it for both sides. */
  drop(): void;
}

const PIPE_SIZE_MAX = 65_536;

export function openPipe<T>(sizeMax = PIPE_SIZE_MAX): Pipe<T> {
  const items: { readonly item: T; readonly size: number }[] = [];
  let size = 0;
  let closed = false;
  let dropped = false;
  let wakeReader: (() => void) | undefined;
  let wakeWriter: (() => void) | undefined;
  const drop = (): void => {
    dropped = true;
    items.length = 0;
    size = 0;
    wakeWriter?.();
    wakeReader?.();
  };
  return {
    async push(item, itemSize) {
      if (dropped || closed) return;
      items.push({ item, size: itemSize });
      size += itemSize;
      wakeReader?.();
      while (size >= sizeMax && !dropped && !closed) {
        await new Promise<void>((resolve) => (wakeWriter = resolve));
      }
    },
    close() {
      closed = true;
      wakeReader?.();
      wakeWriter?.();
    },
    drop,
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          const next = items.shift();
          if (next !== undefined) {
            size -= next.size;
            if (size < sizeMax) wakeWriter?.();
            yield next.item;
          } else if (closed || dropped) {
            return;
          } else {
            await new Promise<void>((resolve) => (wakeReader = resolve));
          }
        }
      } finally {
        drop();
      }
    },
  };
}
