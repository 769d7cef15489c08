import { lint } from './generate/bundle.ts';

/** Lints the split source and the expanded bundle; both must be without an error or a warning. */
for (const api of ['source', 'bundle'] as const) {
  lint(api);
  process.stdout.write(`spec (${api}): 0 errors, 0 warnings\n`);
}
