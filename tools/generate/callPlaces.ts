import { eachOperation, resolve, type Document, type Response, type Schema } from './document.ts';

/** Schemas that are a call to the hub, in the words of HTTP. */
const CALLS = ['HttpCall', 'DeliveryInstructions'];

/**
 * Returns where an answer says what to send next: `next.*.call`, where `*` is each item, and
 * `hint`. The doors add their names only there, since other texts in an answer may look like a
 * call.
 */
export function callPlaces(document: Document): Readonly<Record<string, readonly string[]>> {
  for (const name of CALLS) resolve<Schema>(document, { $ref: `#/components/schemas/${name}` });
  return Object.fromEntries(
    eachOperation(document).flatMap(({ operation }): [string, readonly string[]][] => {
      const places = Object.entries(operation.responses)
        .filter(([status]) => status.startsWith('2'))
        .map(([, response]) => resolve<Response>(document, response).content?.['application/json'])
        .flatMap((media) => (media?.schema === undefined ? [] : placesIn(document, media.schema)));
      return places.length === 0 ? [] : [[operation.operationId, [...new Set(places)]]];
    }),
  );
}

export function refusalPlaces(document: Document): readonly string[] {
  return placesIn(document, { $ref: '#/components/schemas/Refusal' });
}

function placesIn(document: Document, root: Schema): readonly string[] {
  const places: string[] = [];
  const walk = (given: Schema, at: readonly string[], above: readonly string[]): void => {
    const name = given.$ref?.split('/').at(-1);
    if (name !== undefined && above.includes(name)) return;
    if (name !== undefined && CALLS.includes(name)) {
      places.push(at.join('.'));
      return;
    }
    const inside = name === undefined ? above : [...above, name];
    const schema = resolve<Schema>(document, given);
    if (at.at(-1) === 'hint' && schema.type === 'string') places.push(at.join('.'));
    for (const each of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) walk(each, at, inside);
    if (schema.items !== undefined) walk(schema.items, [...at, '*'], inside);
    for (const [key, each] of Object.entries(schema.properties ?? {})) {
      walk(each, [...at, key], inside);
    }
  };
  walk(root, [], []);
  return places;
}
