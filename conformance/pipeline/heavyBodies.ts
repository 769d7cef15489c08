import { JSON_MEMBERS_MAX } from '../../domain/jsonScan.ts';
import { operationTable, type OperationId } from '../../generated/operations.ts';
import { deref, type DeclaredOperation, type Json } from '../harness/contract.ts';

/** Bodies that cost as much as their length and the limits of their operation allow. */
export interface HeavyBody {
  readonly what: string;
  readonly text: string;
}

/** JSON values of about so many characters. */
const SHAPES: Readonly<Record<string, (length: number) => string>> = {
  objects: (length) => `[${repeated('{}', length)}]`,
  numbers: (length) => `[${repeated('-0.12345678901234567', length)}]`,
  strings: (length) => `[${repeated('""', length)}]`,
  members: (length) => keyed(length, (n) => `"${n.toString(36).padStart(5, 'k')}":1`),
  'escaped names': (length) => keyed(length, (n) => `"\\u0061${n.toString(36)}":1`),
  'nested lists': (length) => `${'['.repeat(50)}${repeated('[]', length - 100)}${']'.repeat(50)}`,
  escapes: (length) => `"${'\\n'.repeat(length / 2)}"`,
  'unicode escapes': (length) => `"${'\\u00e9'.repeat(length / 6)}"`,
  accents: (length) => `"${'é'.repeat(length / 2)}"`,
  faces: (length) => `"${'😀'.repeat(length / 4)}"`,
  'white space': (length) => `["a"${' '.repeat(length)}]`,
  'a number': (length) => `0.${'1'.repeat(length)}`,
};

function repeated(item: string, length: number): string {
  return Array<string>(Math.floor(length / (item.length + 1)))
    .fill(item)
    .join(',');
}

function keyed(length: number, member: (n: number) => string): string {
  const count = Math.floor(length / (member(10_000).length + 1));
  return `{${Array.from({ length: count }, (_, n) => member(n)).join(',')}}`;
}

/** Every shape at a length, and again with as many members as are taken. */
export function heavyValues(length: number, members = JSON_MEMBERS_MAX): readonly HeavyBody[] {
  return Object.entries(SHAPES).flatMap(([what, shape]) => {
    const legal = shape(Math.min(length, members * 3));
    return [
      { what, text: shape(length) },
      ...(legal.length < length / 2 ? [{ what: `${what}, as many as it takes`, text: legal }] : []),
    ];
  });
}

/** Returns bodies that are heavy in an unknown member, and in each member of the operation. */
export function heavyBodies(operation: DeclaredOperation, account: string): readonly HeavyBody[] {
  const { body: spec } = operationTable[operation.operationId as OperationId];
  if (spec === undefined) return [];
  // A body that is streamed to a file is read piece by piece; everything else of it has less.
  const length = spec.streamed === undefined ? spec.limitBytes : 200_000;
  const { requestBody } = operation.raw as { readonly requestBody: Json };
  const { content } = deref<{ content: Readonly<Record<string, { readonly example?: Json }>> }>(
    requestBody,
  );
  const shown = JSON.stringify(content['application/json']?.example ?? {});
  const example = JSON.parse(shown.replaceAll(/"key:\w+"/g, `"${account}"`)) as Json;
  const rest = length - JSON.stringify(example).length - 100;
  const values = heavyValues(rest, spec.membersMax);
  const strange = values.map(({ what, text }) => ({
    what: `${what} in no field of it`,
    text: `{"strange":${text}}`,
  }));
  const [worst = values[0]] = values.filter(({ what }) => what === 'objects, as many as it takes');
  const inFields = Object.keys(example).flatMap((name) =>
    [worst, ...values.filter((each) => ['members', 'escapes', 'faces'].includes(each.what))].map(
      (value) => {
        const { [name]: _, ...others } = example;
        const text = `${JSON.stringify(others).slice(0, -1)}${Object.keys(others).length > 0 ? ',' : ''}`;
        return {
          what: `${value?.what} in ${name}`,
          text: `${text}${JSON.stringify(name)}:${value?.text}}`,
        };
      },
    ),
  );
  return [...strange, ...inFields];
}
