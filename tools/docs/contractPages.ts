import { readFileSync } from 'node:fs';
import type { Auth, Document } from '../generate/document.ts';
import { groupsOf, type Area, type Placed } from './groups.ts';

interface Contract extends Document {
  readonly tags: readonly Area[];
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
  return new Map(
    document.tags.map((area) => {
      const parts = groupsOf(document, area).flatMap(({ title, operations }) =>
        title === undefined
          ? operations.map((each) => sectionOf(each, '##'))
          : [`## ${title}`, ...operations.map((each) => sectionOf(each, '###'))],
      );
      return [area.name, [`# Contract: ${area.name}`, area.description, ...parts].join('\n\n')];
    }),
  );
}

function sectionOf({ path, method, operation }: Placed, heading: string): string {
  const { operationId: id, summary, description } = operation;
  // A target keeps the site from taking the address for one of its pages.
  return [
    `${heading} ${summary} {#${id}}`,
    `\`${method.toUpperCase()} ${path}\` · \`${id}\` · ${WHO[operation['x-auth']]}`,
    description.trim(),
    `[Fields, samples and refusals](/docs#${id}){target="_self"} · [Try it](/app/try?operation=${id}){target="_self"}`,
  ].join('\n\n');
}
