import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** A part that nothing has come from for so long no longer holds back what follows it. */
const STILL_MS_MAX = 4_000;

/** Marks the page at this address while it loads for the first time (`order.css`). */
export function useFresh(place: RefObject<HTMLElement | null>, address: string): void {
  useLayoutEffect(() => {
    const main = place.current;
    if (main === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A slow device draws one part after the other: each of them is progress.
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(done, STILL_MS_MAX);
    };
    const look = (): void => {
      wait();
      if (main.querySelector('h1') !== null && main.querySelector('.loading') === null) done();
    };
    const seen = new MutationObserver(look);
    const done = (): void => {
      seen.disconnect();
      clearTimeout(timer);
      main.classList.remove('fresh');
    };
    main.classList.add('fresh');
    seen.observe(main, { childList: true, subtree: true });
    wait();
    return done;
  }, [address]);
}
