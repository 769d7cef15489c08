import { readFileSync } from 'node:fs';

/** The released contract, read once from generated/, which lies beside the code in dist as well. */
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

const textOf = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

export const contract = JSON.parse(textOf('openapi.json')) as Contract;

/** The whole document for callers of this hub: its examples and its server are this hub's. */
export const contractAt = (baseUrl: string): WholeDocument => documentAt('openapi.json', baseUrl);

export const contract30At = (baseUrl: string): WholeDocument =>
  documentAt('openapi-3.0.json', baseUrl);

type WholeDocument = Record<string, unknown>;

function documentAt(name: string, baseUrl: string): WholeDocument {
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const document = JSON.parse(addressed(textOf(name), baseUrl, inJson)) as WholeDocument;
  return { ...document, servers: [{ url: baseUrl, description: 'This hub.' }] };
}

/** The contract as a page, which `npm run generate` builds beside the validators. */
export function docsPageAt(baseUrl: string): string {
  // No base address has a quote or a bracket (server/boot/config.ts).
  return addressed(textOf('docs.html'), baseUrl, (text) => text.replaceAll('&', '&amp;'));
}

/** The documentation page of a hub at `EXAMPLE_URL`, compressed at build time. */
export const docsPageBrotli = readFileSync(new URL('docs.html.br', FOLDER));

/** The address that examples have in the repository; every answer shows this hub's in its place. */
export const EXAMPLE_URL = 'http://127.0.0.1:4020';
const EXAMPLE_HOST = EXAMPLE_URL.slice('http://'.length);

function addressed(text: string, baseUrl: string, written: (text: string) => string): string {
  return text
    .replaceAll(EXAMPLE_URL, () => written(baseUrl))
    .replaceAll(EXAMPLE_HOST, () => written(new URL(baseUrl).host));
}
