import { render } from 'preact';
import { App } from './app.tsx';
import { followLinks } from './navigation.ts';
import { openSession } from './session.ts';

/** The pages that people open: a client of the hub like any other, in a browser. */
const root = document.getElementById('app');
if (root === null) throw new Error('the shell has no place for the pages');
root.replaceChildren();
followLinks();
void openSession();
render(<App />, root);
