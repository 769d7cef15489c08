import { readFileSync } from 'node:fs';

/** The contract as it is published: in the packed suite it lies beside the program. */
export const documentText = readFileSync(
  new URL('../../generated/openapi.json', import.meta.url),
  'utf8',
);
