import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { mcpExtended, mcpTools } from '../../../generated/doors.ts';
import { deref, operations, type DeclaredOperation } from '../../harness/contract.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { at } from '../../harness/must.ts';
import { request, send, type Json } from './_door.ts';

/** The tools are what the document says: its operations by their door names, and nothing else. */
const OF_THE_INTERFACE = [
  'list-paid-endpoints',
  'list-tasks',
  'search-agents',
  'get-agent',
  'register-agent',
  'hub-stats',
  'publish-task',
  'start-work',
  'submit-solution',
  'claim-task',
  'wallet',
  'advance-credit',
  'models',
  'call-agent',
  'chains',
  'passport',
  'card-read',
  'schema-to-english',
  'memory',
  'verdict',
];
/** The calls of an agent from its first request to being paid, and to the proof of it. */
const TO_BE_PAID = [
  'discovery-quickstart',
  'wallet-credit',
  'publish-task',
  'claim-task',
  'submit-solution',
  'tasks-solution',
  'tasks-fail',
  'tasks-accept',
  'tasks-reject',
  'tasks-dispute',
  'tasks-economics',
  'wallet',
  'wallet-me',
  'wallet-pay',
  'wallet-keys',
  'wallet-bind-key',
  'wallet-statement',
  'wallet-withdraw',
  'time-now',
  'time-stamp',
  'time-proof',
];

interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Json & {
    readonly properties: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  readonly outputSchema?: Json;
  readonly annotations: Readonly<Record<string, unknown>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly example?: unknown;
}

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);

const parametersOf = ({ raw }: DeclaredOperation): readonly Parameter[] =>
  ((raw['parameters'] ?? []) as readonly unknown[])
    .map((each) => deref<Parameter>(each))
    .filter((each) => each.in !== 'header' && each.deprecated !== true);
const bodyOf = ({ raw }: DeclaredOperation): Json | undefined => {
  const body = raw['requestBody'] as
    { readonly content: Readonly<Record<string, Json>> } | undefined;
  return body?.content['application/json'];
};

/** Returns the names of an operation's inputs in path, query and body. */
function inputsOf(operation: DeclaredOperation): readonly string[] {
  const body = deref<Json>(bodyOf(operation)?.['schema'] ?? {});
  const shapes = ((body['oneOf'] ?? [body]) as readonly unknown[]).map((s) => deref<Json>(s));
  const fields = shapes.flatMap((shape) => Object.keys((shape['properties'] ?? {}) as Json));
  return [...parametersOf(operation).map(({ name }) => name), ...new Set(fields)];
}

describe('the tools of the MCP door', () => {
  let world: Fixture;
  let tools: readonly Tool[];
  before(async () => {
    world = await openFixture();
    const all: Tool[] = [];
    let cursor: unknown;
    do {
      const answer = await send(
        world,
        request(1, 'tools/list', cursor === undefined ? {} : { cursor }),
        { path: '/mcp?toolsets=all' },
      );
      const { tools: page, nextCursor } = answer.last['result'] as Json;
      all.push(...(page as readonly Tool[]));
      cursor = nextCursor;
    } while (cursor !== undefined);
    tools = all;
  });
  after(() => world.close());

  const named = operations.flatMap((operation) => {
    const { mcp, extended } = (operation.raw['x-door'] ?? {}) as {
      readonly mcp?: string;
      readonly extended?: boolean;
    };
    return mcp === undefined ? [] : [{ operation, mcp, extended }];
  });
  const each = (test: (tool: Tool, operation: DeclaredOperation) => void): void => {
    for (const { operation, mcp } of named) {
      const tool = tools.find(({ name }) => name === mcp);
      assert.ok(tool !== undefined, mcp);
      test(tool, operation);
    }
  };

  it('are 98 and the extended ones, as the document names operations, in its order', () => {
    assert.equal(tools.length - mcpExtended.length, 98);
    assert.deepEqual(
      tools.map(({ name }) => name),
      named.map(({ mcp }) => mcp),
    );
    assert.deepEqual(
      mcpExtended,
      named.filter(({ extended }) => extended === true).map(({ mcp }) => mcp),
    );
    assert.deepEqual(
      Object.entries(mcpTools),
      named.map(({ mcp, operation }) => [mcp, operation.operationId]),
    );
  });

  it('hold the twenty names of the interface, and the way from nothing to being paid', () => {
    const names = tools.map(({ name }) => name).filter((name) => !mcpExtended.includes(name));
    const lacking = [...OF_THE_INTERFACE, ...TO_BE_PAID].filter((name) => !names.includes(name));
    assert.deepEqual(lacking, []);
  });

  it('have names and texts that every client takes', () => {
    for (const { name, title, description, annotations } of tools) {
      assert.match(name, /^[a-z0-9-]{1,64}$/);
      assert.ok(title.length > 0 && title.length <= 100, name);
      assert.ok(description.length > 20, name);
      assert.equal(annotations['title'], title);
    }
  });

  it('take path, query and body as one object, each name once', () => {
    each((tool, operation) => {
      const own = inputsOf(operation);
      assert.equal(new Set(own).size, own.length, tool.name);
      const besides = operations.filter(({ raw }) => at(raw, 'x-door', 'through') === tool.name);
      const names = new Set([...own, ...besides.flatMap(inputsOf)]);
      const given = Object.keys(tool.inputSchema.properties);
      assert.deepEqual(given.slice(0, own.length), own, tool.name);
      assert.deepEqual([...given].sort(), [...names].sort(), tool.name);
      assert.equal(tool.inputSchema['type'], 'object');
      assert.equal(tool.inputSchema['additionalProperties'], false);
    });
  });

  it('require what the operation requires', () => {
    each((tool, operation) => {
      const { required = [] } = tool.inputSchema;
      for (const { name, required: needed } of parametersOf(operation)) {
        assert.equal(required.includes(name), needed === true, `${tool.name} ${name}`);
      }
      for (const name of required) assert.ok(Object.hasOwn(tool.inputSchema.properties, name));
    });
  });

  it('take the example of their own operation, and nothing beside it', () => {
    let examples = 0;
    each((tool, operation) => {
      const path = parametersOf(operation).filter((p) => p.in === 'path');
      const example = {
        ...Object.fromEntries(path.map(({ name, example }) => [name, example])),
        ...((bodyOf(operation)?.['example'] ?? {}) as Json),
      };
      const check = ajv.compile(tool.inputSchema);
      const isOptional = Object.keys(example).length === 0;
      const known = isOptional ? tool.inputSchema.required === undefined : true;
      assert.equal(check(example), known, `${tool.name} ${JSON.stringify(check.errors)}`);
      assert.equal(check({ ...example, 'no-such-argument': 1 }), false, tool.name);
      if (!isOptional) examples += 1;
    });
    assert.ok(examples > 50);
  });

  it('refer to nothing outside themselves', () => {
    for (const tool of tools) {
      for (const schema of [tool.inputSchema, tool.outputSchema ?? {}]) {
        const defs = Object.keys((schema as { readonly $defs?: Json }).$defs ?? {});
        const text = JSON.stringify(schema);
        for (const [, name = ''] of text.matchAll(/"\$ref":"([^"]*)"/g)) {
          assert.ok(defs.includes(name.replace('#/$defs/', '')), `${tool.name} ${name}`);
        }
        assert.ok(!/"(?:x-[a-z]+|discriminator)":/.test(text), tool.name);
      }
    }
  });

  it('read when the operation is a GET, and never say so otherwise', () => {
    each((tool, { method }) => {
      const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
      for (const hint of hints) assert.equal(typeof tool.annotations[hint], 'boolean', tool.name);
      assert.equal(tool.annotations['readOnlyHint'], method === 'GET', tool.name);
      if (method === 'GET') assert.equal(tool.annotations['destructiveHint'], false, tool.name);
    });
  });

  it('warn of whatever can spend the caller’s money', () => {
    each((tool, { raw, method }) => {
      const spends = (raw['x-errors'] as readonly string[]).includes('insufficient-funds');
      if (spends && method === 'POST') {
        assert.equal(tool.annotations['destructiveHint'], true, tool.name);
      }
    });
    const irreversible = [
      ...['tasks-accept', 'tasks-cancel', 'wallet-pay', 'validators-resign'],
      ...['files-delete', 'memory-delete-space', 'hosted-delete'],
    ];
    for (const { name, annotations } of tools) {
      if (irreversible.includes(name)) assert.equal(annotations['destructiveHint'], true, name);
    }
  });

  it('declare their answers where no answer can be a price', () => {
    each((tool, operation) => {
      const isPriced = operation.responses['402'] !== undefined;
      const isStream = operation.raw['x-stream'] !== undefined;
      assert.equal(tool.outputSchema === undefined, isPriced || isStream, tool.name);
      if (tool.outputSchema === undefined) return;
      assert.equal(tool.outputSchema['type'], 'object');
      const check = ajv.compile(tool.outputSchema);
      assert.ok(check({ error: 'e', code: 'c', hint: 'h' }), `${tool.name} takes a refusal`);
      assert.equal(check({}), false, `${tool.name} takes no nothing`);
    });
  });
});
