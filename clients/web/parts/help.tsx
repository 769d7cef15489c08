import { T } from '../texts.ts';

/** Explains a term in one line, under a question mark beside it. */
export function Help({ term, line }: { readonly term: string; readonly line: string }) {
  return (
    <details class="help">
      <summary aria-label={T.help(term)}>?</summary>
      <p>{line}</p>
    </details>
  );
}
