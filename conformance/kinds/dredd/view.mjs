/**
 * The contract for Dredd: an OpenAPI 3.0 document with what makes a transaction and no answer
 * schemas, since Dredd would demand every key of a sample of those. The hooks get the real schemas.
 */
const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

export function dreddView(contract) {
  return {
    openapi: '3.0.3',
    info: { title: contract.info.title, version: contract.info.version },
    paths: Object.fromEntries(
      Object.entries(contract.paths).map(([path, item]) => [path, pathView(contract, item)]),
    ),
  };
}

function pathView(contract, item) {
  const operations = Object.entries(item).filter(([method]) => METHODS.includes(method));
  return Object.fromEntries(
    operations.map(([method, operation]) => [method, operationView(contract, operation)]),
  );
}

/** `summary` is the operation's id, because Dredd names transactions after it. */
function operationView(contract, operation) {
  const example = operation.requestBody?.content['application/json']?.example;
  return {
    operationId: operation.operationId,
    summary: operation.operationId,
    parameters: parametersOf(contract, operation).filter(isInPath).map(parameterView),
    ...(example !== undefined && {
      requestBody: { content: { 'application/json': { example } } },
    }),
    responses: Object.fromEntries(
      Object.entries(operation.responses)
        .filter(([status]) => /^\d{3}$/.test(status))
        .map(([status, response]) => [status, responseView(resolve(contract, response))]),
    ),
  };
}

const isInPath = (parameter) => parameter.in === 'path';

function parameterView({ name, in: place, example, schema }) {
  const shown = example ?? schema?.examples?.[0] ?? 'none';
  return { name, in: place, required: true, schema: { type: 'string' }, example: String(shown) };
}

function responseView(response) {
  const types = Object.keys(response.content ?? {});
  return {
    description: response.description,
    content: Object.fromEntries(types.map((type) => [type, {}])),
  };
}

export function parametersOf(contract, operation) {
  return (operation.parameters ?? []).map((each) => {
    const parameter = resolve(contract, each);
    return { ...parameter, schema: resolve(contract, parameter.schema) };
  });
}

export function resolve(contract, value) {
  if (value?.$ref === undefined) return value;
  const found = value.$ref
    .split('/')
    .slice(1)
    .reduce((at, step) => at[step], contract);
  return resolve(contract, found);
}
