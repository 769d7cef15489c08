import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import { build } from 'esbuild';
import {
  eachOperation,
  jsonBody,
  parametersOf,
  resolve,
  type Document,
  type Response,
  type Schema,
} from './document.ts';
import { encodersText } from './encoders.ts';

/**
 * Compiles every schema of the contract to code, bundled with the encoders of answers into one
 * module that imports nothing, so start-up loads no compiler. Names: `<operation>/body`, `/path`,
 * `/query`, `/header`, `/<status>`.
 */
export async function validatorsModule(document: Document): Promise<string> {
  const named = namedSchemas(document);
  const given = Object.entries(named).filter(([key]) => /\/(?:body|query)$/.test(key));
  const bundled = await build({
    stdin: {
      contents:
        compiled(document, named, { allErrors: false }, 'validators') +
        compiled(document, Object.fromEntries(given), { allErrors: true, verbose: true }, 'faults'),
      resolveDir: process.cwd(),
      loader: 'js',
    },
    absWorkingDir: process.cwd(),
    bundle: true,
    minify: true,
    write: false,
    format: 'cjs',
    platform: 'node',
  });
  const body = bundled.outputFiles[0]?.text ?? '';
  return `const module = { exports: {} };\nconst exports = module.exports;\n${body}\nexport const { validators, faults } = module.exports;\n${encodersText(document)}`;
}

/**
 * `validators` stop at the first fault. `faults` find all of a body or query that was refused, each
 * with the schema that it breaks, for a value of which the lists are cut short.
 */
function compiled(
  document: Document,
  schemas: Readonly<Record<string, Schema>>,
  options: Options,
  name: string,
): string {
  const code = { source: true, esm: false };
  const ajv = new Ajv2020({ strict: false, discriminator: true, code, ...options });
  formats.default(ajv);
  for (const [key, schema] of Object.entries(document.components.schemas)) {
    ajv.addSchema(prepared(schema, { $id: key }));
  }
  const exported: Record<string, string> = {};
  for (const [key, schema] of Object.entries(schemas)) {
    // The id has no slash: references inside would resolve against it as against a folder.
    ajv.addSchema(prepared(schema, { $id: safeName(key) }));
    exported[safeName(key)] = key;
  }
  const ids = Object.fromEntries(Object.keys(exported).map((each) => [each, each]));
  const lookup = Object.entries(exported)
    .map(([safe, key]) => `${JSON.stringify(key)}: exports.${safe}`)
    .join(',\n');
  // Both have functions of the same names.
  return `(function (exports, module) {\n${standalone.default(ajv, ids)}\nmodule.exports.${name} = {${lookup}};\n})({}, module);\n`;
}

/** The shapes that the edge checks: what came in by place, what goes out by status. */
function namedSchemas(document: Document): Readonly<Record<string, Schema>> {
  const named: Record<string, Schema> = {};
  for (const { operation } of eachOperation(document)) {
    const id = operation.operationId;
    const body = jsonBody(document, operation);
    if (body !== undefined) named[`${id}/body`] = body;
    for (const place of ['path', 'query', 'header'] as const) {
      const here = parametersOf(document, operation).filter((each) => each.in === place);
      named[`${id}/${place}`] = {
        type: 'object',
        additionalProperties: place === 'header',
        required: here.filter((each) => each.required === true).map((each) => each.name),
        properties: Object.fromEntries(here.map((each) => [each.name, each.schema])),
      };
    }
    for (const [status, reference] of Object.entries(operation.responses)) {
      const schema = resolve<Response>(document, reference).content?.['application/json']?.schema;
      if (status.startsWith('2') && schema !== undefined) named[`${id}/${status}`] = schema;
    }
  }
  return named;
}

/** References become schema ids; ajv reads a discriminator's tags from the schemas themselves. */
function prepared(schema: Schema, extra: Readonly<Record<string, unknown>>): Schema {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key === '$ref') return String(value).replace('#/components/schemas/', '');
    return key === 'mapping' ? undefined : value;
  });
  return { ...(JSON.parse(text) as Schema), ...extra };
}

function safeName(key: string): string {
  return `v_${key.replace(/[^A-Za-z0-9]/g, '_')}`;
}
