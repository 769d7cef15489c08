import { readFileSync } from 'node:fs';
import { eachOperation, type Auth, type Document } from '../generate/document.ts';

interface Contract extends Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

const WHO: Readonly<Record<Auth, string>> = {
  public: 'Needs no signature.',
  signed: 'Signed by the key of the account.',
  optional: 'A signature is optional.',
  'api-key': 'With an API key of the account.',
};

/** Writes the contract's areas in Markdown; fields, samples and refusals stay on `/docs`. */
export function contractPages(): ReadonlyMap<string, string> {
  const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Contract;
  const operations = eachOperation(document);
  return new Map(
    document.tags.map(({ name, description }) => {
      const own = operations.filter(({ operation }) => operation.tags[0] === name);
      return [name, [`# Contract: ${name}`, description, ...own.map(sectionOf)].join('\n\n')];
    }),
  );
}

function sectionOf({ path, method, operation }: ReturnType<typeof eachOperation>[number]): string {
  const { operationId: id, summary, description } = operation;
  // A target keeps the site from taking the address for one of its pages.
  return [
    `## ${summary} {#${id}}`,
    `\`${method.toUpperCase()} ${path}\` · \`${id}\` · ${WHO[operation['x-auth']]}`,
    description.trim(),
    `[Fields, samples and refusals](/docs#${id}){target="_self"} · [Try it](/app/try?operation=${id}){target="_self"}`,
  ].join('\n\n');
}
