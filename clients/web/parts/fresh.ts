import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** A part that takes longer no longer holds back what follows it. */
const FRESH_MS_MAX = 4_000;

/** Marks the page at this address while it loads for the first time (`order.css`). */
export function useFresh(place: RefObject<HTMLElement | null>, address: string): void {
  useLayoutEffect(() => {
    const main = place.current;
    if (main === null) return undefined;
    const look = (): void => {
      if (main.querySelector('h1') !== null && main.querySelector('.loading') === null) done();
    };
    const seen = new MutationObserver(look);
    const done = (): void => {
      seen.disconnect();
      main.classList.remove('fresh');
    };
    const timer = setTimeout(done, FRESH_MS_MAX);
    main.classList.add('fresh');
    seen.observe(main, { childList: true, subtree: true });
    return () => {
      clearTimeout(timer);
      done();
    };
  }, [address]);
}
