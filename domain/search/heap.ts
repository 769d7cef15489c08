/** Keeps the first `count` of what it is offered; the last of them is at its top. */
export interface Heap<T> {
  offer(candidate: T): void;
  /** The last that is kept, when there is no more room. */
  last(): T | undefined;
  /** In no order. */
  all(): T[];
}

/** `inOrder` is below 0 when the first comes before the second. */
export function openHeap<T>(count: number, inOrder: (a: T, b: T) => number): Heap<T> {
  const kept: T[] = [];
  const isBefore = (a: number, b: number): boolean => {
    const [one, other] = [kept[a], kept[b]];
    return one !== undefined && other !== undefined && inOrder(one, other) < 0;
  };
  const swap = (a: number, b: number): void => {
    const [one, other] = [kept[a], kept[b]];
    if (one === undefined || other === undefined) return;
    kept[a] = other;
    kept[b] = one;
  };
  const sink = (): void => {
    for (let at = 0; ;) {
      let last = at;
      if (isBefore(last, 2 * at + 1)) last = 2 * at + 1;
      if (isBefore(last, 2 * at + 2)) last = 2 * at + 2;
      if (last === at) return;
      swap(at, last);
      at = last;
    }
  };
  const rise = (): void => {
    for (let at = kept.length - 1; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!isBefore(parent, at)) return;
      swap(at, parent);
      at = parent;
    }
  };
  return {
    offer(candidate) {
      const [top] = kept;
      if (kept.length < count) {
        kept.push(candidate);
        rise();
      } else if (top !== undefined && inOrder(candidate, top) < 0) {
        kept[0] = candidate;
        sink();
      }
    },
    last: () => (kept.length < count ? undefined : kept[0]),
    all: () => kept,
  };
}
