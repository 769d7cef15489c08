/**
 * A schema of the contract as JSON Schema draft-07, the newest that Dredd's validator knows: the
 * components it reaches stand under `definitions`. Nothing of it is left out but annotations.
 */
const COMPONENTS = '#/components/schemas/';

function draft07(contract, schema) {
  const definitions = {};
  const reach = (name) => {
    if (name in definitions) return;
    definitions[name] = true; // Taken before it is known: a component may reach itself.
    definitions[name] = lowered(contract.components.schemas[name], reach);
  };
  const root = lowered(schema, reach);
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...wrapped(root), definitions };
}

/** In draft-07 nothing may stand beside a reference. */
function wrapped(schema) {
  return '$ref' in schema ? { allOf: [schema] } : schema;
}

function lowered(value, reach) {
  if (Array.isArray(value)) return value.map((each) => lowered(each, reach));
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.$ref === 'string') {
    const name = value.$ref.slice(COMPONENTS.length);
    reach(name);
    return { $ref: `#/definitions/${name}` };
  }
  // Dredd's validator does not know the formats of OpenAPI.
  const kept = Object.entries(value).filter(
    ([key, each]) => key !== 'discriminator' && !key.startsWith('x-') && each !== 'int64',
  );
  return Object.fromEntries(kept.map(([key, each]) => [key, lowered(each, reach)]));
}

module.exports = { draft07 };
