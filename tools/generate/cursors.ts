import {
  eachOperation,
  resolve,
  type Document,
  type Operation,
  type Parameter,
  type Response,
  type Schema,
} from './document.ts';

/** The form of a cursor in the source, for the hub alone: `CursorOfId` and its like. */
const FORM = /^#\/components\/parameters\/CursorOf/;
const NEW_PARAMETER = { $ref: '#/components/parameters/PageCursor' };
const OLD_PARAMETER = { $ref: '#/components/parameters/OldPageCursor' };
const OLD_MEMBER = { $ref: '#/components/schemas/OldCursor' };

/**
 * Gives every list the old names of its cursor for one version: `after` beside `cursor`, and `next`
 * beside `nextCursor` with the same value (choices pipeline.paging).
 */
export function addOldNames(document: Document): void {
  const done = new Set<Schema>();
  for (const { operation } of eachOperation(document)) {
    const form = (operation.parameters ?? []).find(isForm);
    if (form === undefined) continue;
    const { schema: checked } = resolve<Parameter>(document, form);
    const old = { ...resolve<Parameter>(document, OLD_PARAMETER), schema: checked };
    Object.assign(operation, { parameters: [...(operation.parameters ?? []), old] });
    const answer = resolve<Response>(document, operation.responses['200'] ?? missing(operation));
    const schema = answer.content?.['application/json']?.schema;
    if (schema === undefined) continue;
    const page = resolve<Schema>(document, schema);
    if (done.has(page) || page.properties?.['nextCursor'] === undefined) continue;
    done.add(page);
    const { properties, required = [] } = page;
    const members = Object.entries(properties).flatMap(([name, each]): [string, Schema][] =>
      name === 'nextCursor'
        ? [
            [name, each],
            ['next', OLD_MEMBER],
          ]
        : [[name, each]],
    );
    Object.assign(page, {
      properties: Object.fromEntries(members),
      ...(required.includes('nextCursor') && { required: [...required, 'next'] }),
    });
  }
}

/** Publishes one opaque cursor for all lists, once the validators of their forms are written. */
export function hideForms(document: Document): void {
  for (const { operation } of eachOperation(document)) {
    if (operation.parameters?.some(isForm) !== true) continue;
    const parameters = operation.parameters.map((each) => {
      if (isForm(each)) return NEW_PARAMETER;
      return 'name' in each && each.name === 'after' ? OLD_PARAMETER : each;
    });
    Object.assign(operation, { parameters });
  }
  const { parameters = {} } = document.components;
  for (const name of Object.keys(parameters)) {
    if (FORM.test(`#/components/parameters/${name}`)) delete parameters[name];
  }
}

function isForm(each: object): boolean {
  return '$ref' in each && FORM.test(String(each.$ref));
}

function missing({ operationId }: Operation): never {
  throw new Error(`${operationId}: a list answers with 200`);
}
