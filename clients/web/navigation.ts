import { useEffect, useState } from 'preact/hooks';
import { isOurs, routeOf, type Route } from './routes.ts';

const listeners = new Set<() => void>();

function report(): void {
  for (const listener of listeners) listener();
}

let hasReturned = false;
addEventListener('popstate', () => (hasReturned = true));

/** Whether this page was come to by the browser's back or forward. */
export const isReturning = (): boolean => hasReturned;

/** Goes to an address of ours; a filter that is being typed replaces the entry before. */
export function go(path: string, { replace = false } = {}): void {
  hasReturned = false;
  if (replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  report();
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.pathname, location.search));
  useEffect(() => {
    const read = (): void => setRoute(routeOf(location.pathname, location.search));
    listeners.add(read);
    addEventListener('popstate', read);
    return () => {
      listeners.delete(read);
      removeEventListener('popstate', read);
    };
  }, []);
  return route;
}

/** Follows links of ours without a new page; everything else is the browser's. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    const { target, button, defaultPrevented } = event;
    const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    const link = target instanceof Element ? target.closest('a') : null;
    if (link === null || defaultPrevented || button !== 0 || !isPlain) return;
    if (link.target !== '' || link.hasAttribute('download')) return;
    const url = new URL(link.href, location.href);
    if (!isOurs(url, location.origin) || (url.hash !== '' && url.pathname === location.pathname)) {
      return;
    }
    event.preventDefault();
    go(url.pathname + url.search);
    scrollTo(0, 0);
  });
}
