import { BLACK_BOX } from './files.ts';

/** Loads a file of tests; the build writes one line for each, so that a bundler can follow them. */
export const loaders: Readonly<Record<string, () => Promise<unknown>>> = Object.fromEntries(
  BLACK_BOX.map((path) => [path, () => import(`../../${path}.test.ts`)]),
);
