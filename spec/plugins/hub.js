/**
 * Lint rules for the conventions of this contract. They run on the split source and on the bundle;
 * what only one of the two can show is asked of both in a form that both satisfy.
 */
const DOOR = ['mcp', 'a2a', 'through', 'extended', 'irreversible', 'outside'];
const AUTH = ['public', 'signed', 'optional', 'api-key'];

/** Every operation says who may call it, in the terms that the generator expands. */
const OperationConventions = () => ({
  Operation(operation, { report, location }) {
    const id = operation.operationId ?? '';
    if (!/^[a-z]+\.[a-z][A-Za-z0-9]*$/.test(id)) {
      report({
        message: `operationId is area.verb, not "${id}"`,
        location: location.child('operationId'),
      });
    }
    if (operation.tags?.length !== 1 || operation.tags[0] !== id.split('.')[0]) {
      report({
        message: 'the one tag is the area of the operationId',
        location: location.child('tags'),
      });
    }
    if (!AUTH.includes(operation['x-auth'])) {
      report({ message: `x-auth is one of ${AUTH.join(', ')}`, location });
    }
    const owner = operation['x-owner'];
    if (owner !== undefined && !/^(body|path|query)\.[A-Za-z]+$/.test(owner)) {
      report({ message: 'x-owner is body.field, path.name or query.name', location });
    }
    if (owner !== undefined && operation['x-auth'] === 'public') {
      report({ message: 'an operation with x-owner is signed', location });
    }
    const other = operation['x-owner-or'];
    if (
      other !== undefined &&
      (owner === undefined || !/^(body|path|query)\.[A-Za-z]+$/.test(other))
    ) {
      report({ message: 'x-owner-or is body.field beside x-owner', location });
    }
    if (operation['x-while-banned'] === true && operation['x-auth'] !== 'signed') {
      report({ message: 'an operation with x-while-banned is signed', location });
    }
    const ownerKey = operation['x-owner-key'];
    if (ownerKey !== undefined && ownerKey !== 'always' && ownerKey !== 'unless-named') {
      report({ message: 'x-owner-key is always or unless-named', location });
    }
    const tried = operation['x-dry-run'];
    if (tried !== undefined && !(tried.stopsBefore?.length <= 100)) {
      report({ message: 'x-dry-run.stopsBefore has 1 to 100 letters', location });
    }
    const key = operation['x-idempotency'];
    if (key !== undefined && key !== 'body.idempotencyKey') {
      report({ message: 'x-idempotency is body.idempotencyKey', location });
    }
    if (!['answer', 'own', 'none', undefined].includes(operation['x-once'])) {
      report({ message: 'x-once is answer, own or none', location });
    }
    const door = operation['x-door'] ?? {};
    const isTool = door.mcp !== undefined && door.a2a === undefined;
    if (door.extended !== undefined && !(door.extended === true && isTool)) {
      report({ message: 'x-door.extended is true, of an MCP tool that is no A2A skill', location });
    }
    const strange = Object.keys(door).filter((key) => !DOOR.includes(key));
    if (strange.length > 0) {
      report({ message: `x-door has ${DOOR.join(', ')}, not ${strange.join(', ')}`, location });
    }
  },
});

/** A path parameter carries an example: tools and readers both start from it. */
const ParameterExample = () => ({
  Parameter(parameter, { report, location }) {
    if (parameter.in === 'path' && parameter.example === undefined) {
      report({ message: `path parameter ${parameter.name} needs an example`, location });
    }
  },
});

const RequestExample = () => ({
  RequestBody: {
    MediaType(media, { report, location }) {
      if (media.example === undefined && media.examples === undefined) {
        report({ message: 'a request body needs an example', location });
      }
    },
  },
});

/** An object says whether it takes more fields than it names. */
const ClosedObjects = () => ({
  Schema(schema, { report, location }) {
    const isObject =
      schema.type === 'object' || (Array.isArray(schema.type) && schema.type.includes('object'));
    // A choice of closed shapes is closed by each of them.
    if (isObject && schema.oneOf === undefined && schema.additionalProperties === undefined) {
      report({ message: 'an object states additionalProperties', location });
    }
  },
});

/** Whatever a caller sends has a limit: no endless strings, lists or numbers. */
const boundsOf = (schema, report, location) => {
  const types = [schema.type].flat();
  const closed = schema.enum !== undefined || schema.const !== undefined;
  if (types.includes('string') && !closed && schema.maxLength === undefined) {
    report({ message: 'a string in a request states maxLength', location });
  }
  if (types.includes('array') && schema.maxItems === undefined) {
    report({ message: 'a list in a request states maxItems', location });
  }
  const topped = schema.maximum ?? schema.exclusiveMaximum ?? schema['x-clamp'];
  if ((types.includes('integer') || types.includes('number')) && !closed && topped === undefined) {
    report({ message: 'a number in a request states maximum or x-clamp', location });
  }
  if (schema.properties !== undefined) {
    for (const [name, property] of Object.entries(schema.properties)) {
      if (property.description === undefined && property.$ref === undefined) {
        report({ message: `request property ${name} needs a description`, location });
      }
    }
  }
};
const RequestBounds = () => ({
  RequestBody: {
    Schema(schema, { report, location }) {
      boundsOf(schema, report, location);
    },
  },
  Parameter: {
    Schema(schema, { report, location }) {
      boundsOf(schema, report, location);
    },
  },
});

export default function hub() {
  return {
    id: 'hub',
    rules: {
      oas3: {
        'operation-conventions': OperationConventions,
        'parameter-example': ParameterExample,
        'request-example': RequestExample,
        'closed-objects': ClosedObjects,
        'request-bounds': RequestBounds,
      },
    },
  };
}
