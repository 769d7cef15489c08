import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import type { Document, Schema } from './document.ts';

/** Writes wire types: an `x-brand` schema is a plain string flavoured with the server's type. */
export async function wireTypes(document: Document): Promise<string> {
  const ast = await openapiTS(JSON.parse(JSON.stringify(document)) as never, {
    defaultNonNullable: false,
    inject: `/** Text that the server parses into the named type; plain strings fit. */
export type Wire<Name extends string> = string & { readonly __wire?: Name };
`,
    transform(schema) {
      const { 'x-brand': brand, type, not } = schema as Schema & { readonly not?: Schema };
      // The one that is left when the other is excluded (plain.ts).
      if (type === 'boolean' && not !== undefined) return literal(not['const'] === false);
      return brand === undefined ? undefined : wire(brand);
    },
  });
  return astToString(ast);
}

function literal(value: boolean): ts.TypeNode {
  const { createTrue, createFalse, createLiteralTypeNode } = ts.factory;
  return createLiteralTypeNode(value ? createTrue() : createFalse());
}

function wire(brand: string): ts.TypeNode {
  return ts.factory.createTypeReferenceNode('Wire', [
    ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(brand)),
  ]);
}
