import { existsSync, readFileSync } from 'node:fs';

/**
 * The published contract, read once. It lies in generated/ beside the code, in the source tree and
 * in dist alike, so an answer made of it cannot differ from what was released.
 */
export interface Contract {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

const FOLDER = new URL('../../generated/', import.meta.url);

export const contract = JSON.parse(
  readFileSync(new URL('openapi.json', FOLDER), 'utf8'),
) as Contract;

const DOCS = new URL('docs.html', FOLDER);

/** The contract as a page; absent in a tree where nobody has generated it. */
export const docsPage = existsSync(DOCS) ? readFileSync(DOCS) : undefined;
