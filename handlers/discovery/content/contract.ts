import { readFileSync } from 'node:fs';

/**
 * The published contract, read once. It lies in generated/ beside the code, in the source tree and
 * in dist alike, so an answer made of it cannot differ from what was released.
 */
export interface Contract {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractOperation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, ContractParameter>>;
  };
}

export interface ContractOperation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly (ContractParameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json'?: { readonly example?: unknown } };
  };
}

export interface ContractParameter {
  readonly name: string;
  readonly in: string;
  readonly example?: unknown;
}

const FOLDER = new URL('../../../generated/', import.meta.url);

export const contract = JSON.parse(
  readFileSync(new URL('openapi.json', FOLDER), 'utf8'),
) as Contract;

/** The contract as a page, which `npm run generate` builds beside the validators. */
export const docsPage = readFileSync(new URL('docs.html', FOLDER));
export const docsPageBrotli = readFileSync(new URL('docs.html.br', FOLDER));
