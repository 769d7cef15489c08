// `npm run new -- AREA.VERB [GET|POST] [PATH]`: writes the files of an operation that answers nothing
// yet, and the lines that register it. Afterwards `npm run generate` and the types pass.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';

/** Words that a constant cannot be called. */
const RESERVED = new Set(['delete', 'export', 'import', 'new', 'return', 'switch', 'void']);
const USAGE =
  'npm run new -- AREA.VERB [GET|POST] [PATH], as in tasks.remind POST /api/v1/tasks/{id}/remind';

const TEST_IMPORTS = [
  "import assert from 'node:assert/strict';",
  "import { openFixture, type Fixture } from '../harness/fixture.ts';",
  "import { mustOk, mustRefuse } from '../harness/must.ts';",
];

const capital = (word) => word[0].toUpperCase() + word.slice(1);
const dashed = (word) => word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Changes the text of a file with `change`, which must change it. */
function edit(file, change) {
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`${file} has no place for the operation`);
  writeFileSync(file, after);
}

async function write(file, text) {
  const whole = await format(text, { ...(await resolveConfig(file)), filepath: file });
  writeFileSync(file, whole, { flag: 'wx' });
  process.stdout.write(`${file}\n`);
}

function contract({ id, area, verb, method }) {
  const parameters = id.path.match(/\{\w+\}/g)?.map((each) => each.slice(1, -1)) ?? [];
  const own = `${capital(area)}${capital(verb)}`;
  const body = `requestBody:
  required: true
  content:
    application/json:
      schema:
        type: object
        additionalProperties: false
        properties:
          note: { type: string, maxLength: 280, description: What the caller says about it. }
      example: { note: As agreed. }
`;
  const lines = parameters.map(
    (name) => `  - name: ${name}
    in: path
    required: true
    description: Which one it is.
    schema: { $ref: ../common/schemas.yaml#/Uuid }
    example: 01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90
`,
  );
  return `operationId: ${area}.${verb}
summary: ${capital(dashed(verb).replaceAll('-', ' '))}
description: >-
  What it does, in words for a caller. Use it when; \`discovery.index\` says what to call next.
tags: [${area}]
x-auth: signed
x-errors: []
x-door: { mcp: ${area}-${dashed(verb)}, extended: true }
${lines.length === 0 ? '' : `parameters:\n${lines.join('')}`}${method === 'POST' ? body : ''}responses:
  '200':
    description: What the caller gets.
    content:
      application/json:
        schema:
          type: object
          x-name: ${own}Answer
          additionalProperties: false
          required: [done]
          properties:
            done: { type: boolean, description: Whether it was done. }
        example: { done: true }
`;
}

const handler = ({ id, name }) => `import type { Handler } from '../../workflows/kernel/handler.ts';

export const ${name}: Handler<'${id.text}'> = async () => ({ status: 200, body: { done: true } });
`;

function test({ id, method }) {
  const path = id.path.replace(/\{\w+\}/g, '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90');
  const call = method === 'GET' ? `get('${path}')` : `post('${path}', {})`;
  return `${TEST_IMPORTS.join('\n')}

describe('${id.text}', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  it('answers its caller', async () => {
    assert.deepEqual(mustOk(await world.alice.${call}), { done: true });
  });

  it('refuses a call without a signature', async () => {
    mustRefuse(await world.anyone.${call}, 401, 'unsigned');
  });
});
`;
}

/** Writes everything of one operation; throws, and writes nothing, when it cannot be that one. */
export async function newOperation(text, method = 'GET', given = undefined) {
  const [, area, verb] = /^([a-z]+)\.([a-z][A-Za-z0-9]+)$/.exec(text ?? '') ?? [];
  if (verb === undefined || !/^(GET|POST)$/.test(method)) throw new Error(USAGE);
  const path = given ?? `/api/v1/${area}/${dashed(verb)}`;
  const index = `handlers/${area}/index.ts`;
  if (!existsSync(index))
    throw new Error(`there is no area ${area}: ARCHITECTURE.md says how to add one`);
  if (existsSync(`spec/${area}/${verb}.yaml`)) throw new Error(`${text} is there`);
  const source = readFileSync('spec/openapi.yaml', 'utf8');
  if (source.includes(`\n  ${path}:\n`))
    throw new Error(`${path} is there: add the method by hand`);
  const name = RESERVED.has(verb) ? `${verb}${capital(area)}` : verb;
  const operation = { id: { text, path }, area, verb, method, name };
  await write(`spec/${area}/${verb}.yaml`, contract(operation));
  await write(`handlers/${area}/${verb}.ts`, handler(operation));
  await write(`conformance/${area}/${verb}.test.ts`, test(operation));
  const route = `  ${path}:\n    ${method.toLowerCase()}: { $ref: ${area}/${verb}.yaml }\n`;
  edit('spec/openapi.yaml', (before) =>
    grouped(before, area, verb).replace(`  # ${area}\n`, `$&${route}`),
  );
  edit(index, (before) =>
    before
      .replace(/(?=\nexport const )/, `import { ${name} } from './${verb}.ts';\n`)
      .replace(/(?=^\} satisfies)/m, `  '${text}': ${name},\n`),
  );
  process.stdout.write('Now write the description, the rule and its tests: CONTRIBUTING.md.\n');
}

/** Where the pages group the operations of an area, the last group gets it. */
function grouped(source, area, verb) {
  const [before, after] = source.split(new RegExp(`^(?=  - name: ${area}$)`, 'm'));
  if (after === undefined) return source;
  const end = after.slice(1).search(/^  - |^\w/m) + 1;
  const tag = after.slice(0, end);
  if (!tag.includes('x-groups:')) return source;
  return before + tag.replace(/\](\s*)$/, `, ${verb}]$1`) + after.slice(end);
}

if (process.argv[1] === import.meta.filename) {
  const { positionals } = parseArgs({ allowPositionals: true });
  try {
    await newOperation(...positionals);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 2;
  }
}
