import { render } from 'preact';
import { App } from './app.tsx';
import { followLinks } from './navigation.ts';
import { routeOf } from './routes.ts';
import { openSession } from './session.ts';

/** The pages that people open: a client of the hub like any other, in a browser. */
const root = document.getElementById('app');
if (root === null) throw new Error('the shell has no place for the pages');
fetchAhead(root);
root.replaceChildren();
followLinks();
void openSession();
render(<App />, root);

/** The build wrote down what each page imports, so that a slow network is crossed once for all. */
function fetchAhead({ dataset }: HTMLElement): void {
  const pieces = JSON.parse(dataset['pieces'] ?? '{}') as Readonly<Record<string, string[]>>;
  const { page } = routeOf(location.pathname, location.search);
  for (const piece of pieces[page] ?? []) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = `/app/assets/${piece}`;
    document.head.append(link);
  }
}
