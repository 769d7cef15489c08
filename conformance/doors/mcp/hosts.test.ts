import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { a2aSkills, mcpTools } from '../../../generated/doors.ts';
import { openCatalogue, TOOLSETS } from '../../../server/doors/mcp/catalogue.ts';
import { at } from '../../harness/must.ts';

/**
 * Hosts that read lists of tools have limits, and the tools obey the strictest of them all: one tool
 * that a host refuses makes it refuse the whole list. docs/mcp.md has the table with its sources.
 */
const NAME = /^[a-z][a-z0-9-]{0,62}$/;
const DESCRIPTION_MAX = 1024;
const TOOLS_MAX = 128;
/** Levels of objects and lists within a schema that any tool has. */
const DEPTH_MAX = 8;
/** Keywords that some host does not read, or refuses the list for. */
const REFUSED = [
  ...['$defs', '$id', '$ref', '$schema', 'allOf', 'const', 'contains', 'contentEncoding'],
  ...['contentMediaType', 'dependentRequired', 'dependentSchemas', 'deprecated', 'example'],
  ...['examples', 'exclusiveMaximum', 'exclusiveMinimum', 'if', 'multipleOf', 'not', 'nullable'],
  ...['oneOf', 'patternProperties', 'prefixItems', 'propertyNames', 'readOnly', 'uniqueItems'],
  ...['unevaluatedProperties', 'writeOnly'],
];
const FORMATS = ['date-time'];
const ARGUMENT = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;
const draft2020 = new Ajv2020({ strict: false, validateFormats: false });

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

describe('the limits of hosts', () => {
  const catalogue = openCatalogue();
  const toolsOf = (toolset: string | undefined): readonly Listed[] =>
    JSON.parse(catalogue.tools(toolset === undefined ? undefined : [toolset])) as Listed[];
  const every = [undefined, ...TOOLSETS].flatMap(toolsOf);

  it('hold for the names and the descriptions of all tools, in each list', () => {
    for (const { name, description } of every) {
      assert.match(name, NAME);
      assert.ok(description.length <= DESCRIPTION_MAX, `${name}: ${description.length}`);
      assert.match(description, /\.$/, name);
    }
    for (const skill of Object.keys(a2aSkills)) assert.match(skill, NAME);
  });

  it('hold for the number of tools in each list', () => {
    for (const toolset of [undefined, ...TOOLSETS]) {
      const { length } = toolsOf(toolset);
      assert.ok(length > 0 && length <= TOOLS_MAX, `${toolset ?? ''}: ${length}`);
    }
    assert.ok(Object.keys(mcpTools).length <= TOOLS_MAX);
  });

  it('hold for the root of each schema: an object without a choice', () => {
    for (const { name, inputSchema } of every) {
      assert.equal(inputSchema['type'], 'object', name);
      for (const choice of ['oneOf', 'anyOf', 'allOf', 'enum', 'not', '$ref']) {
        assert.ok(!Object.hasOwn(inputSchema, choice), `${name} ${choice}`);
      }
    }
  });

  it('hold for what lies within: words, depth and formats that all take', () => {
    for (const { name, inputSchema } of every) {
      const walk = (value: unknown, depth: number, isMap: boolean): void => {
        assert.ok(depth <= DEPTH_MAX * 2, `${name} is too deep`);
        if (Array.isArray(value)) value.forEach((each) => walk(each, depth, false));
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
        if (Object.hasOwn(value, 'items') !== (at(value, 'type') === 'array') && !isMap) {
          assert.fail(`${name}: a list without the form of its items`);
        }
        for (const [key, inner] of Object.entries(value as Record<string, unknown>)) {
          if (isMap) {
            assert.match(key, ARGUMENT, name);
            walk(inner, depth + 1, false);
            continue;
          }
          assert.ok(!REFUSED.includes(key), `${name} ${key}`);
          if (key === 'type') assert.equal(typeof inner, 'string', `${name}: one type a field`);
          if (key === 'format') assert.ok(FORMATS.includes(String(inner)), `${name} ${inner}`);
          if (key === 'enum') {
            assert.ok((inner as readonly unknown[]).every((each) => typeof each === 'string'));
          }
          if (['enum', 'required', 'default'].includes(key)) continue;
          walk(inner, depth + 1, key === 'properties');
        }
      };
      walk(inputSchema, 0, false);
      assert.ok(draft2020.validateSchema(inputSchema), name);
    }
  });

  it('are in the table of the page, each with its source', () => {
    const page = readFileSync('docs/mcp.md', 'utf8');
    for (const host of ['OpenAI', 'Anthropic', 'Google', 'Mistral', 'VS Code']) {
      const rows = [...page.matchAll(new RegExp(`^\\| ${host} +\\|(.*)$`, 'gm'))];
      const sources = rows.map(([row]) =>
        [...row.matchAll(/\]\[([a-z-]+)\]/g)].map(([, name]) => name ?? ''),
      );
      assert.ok(rows.length > 0 && sources.every(({ length }) => length > 0), host);
      for (const name of sources.flat()) assert.ok(page.includes(`\n[${name}]: https://`), name);
    }
  });

  it('leave lists that cost the tokens that the page says, the default within 40 tools', () => {
    const page = readFileSync('docs/mcp.md', 'utf8');
    const rows = [...page.matchAll(/^\| `\/mcp(?:\?toolsets=(\S+))?` +\|[^|]+\|(.*)\|$/gm)];
    assert.equal(rows.length, 4);
    for (const [, toolsets, figures = ''] of rows) {
      const text = catalogue.tools(toolsets?.split(','));
      const { length } = JSON.parse(text) as readonly unknown[];
      const tokens = Math.round(encode(text).length / 100) * 100;
      const shown = figures.split('|').map((cell) => cell.trim());
      assert.deepEqual(shown, [String(length), tokens.toLocaleString('en-US')], toolsets);
      if (toolsets === 'default') assert.ok(length <= 40 && tokens <= 12_000);
    }
  });
});
