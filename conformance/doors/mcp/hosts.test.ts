import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { a2aSkills, mcpTools } from '../../../generated/doors.ts';
import { openCatalogue, TOOLSETS } from '../../../server/doors/mcp/catalogue.ts';

/**
 * Hosts that read lists of tools have limits, and the tools obey the strictest of them all: one tool
 * that a host refuses makes it refuse the whole list. docs/mcp.md has the table with its sources.
 */
const NAME = /^[a-z][a-z0-9-]{0,62}$/;
const DESCRIPTION_MAX = 1024;
const TOOLS_MAX = 128;
/** Levels of objects and lists within a schema that any tool has. */
const DEPTH_MAX = 8;
/** Keywords that some host does not read; where it stands, the model sees nothing of the field. */
const UNREAD = ['allOf', 'if', 'patternProperties', 'dependentRequired', 'prefixItems', '$id'];

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

  it('hold for what lies within: keywords that all read, references that resolve, no nullable', () => {
    for (const { name, inputSchema } of every) {
      const defs = (inputSchema['$defs'] ?? {}) as Readonly<Record<string, unknown>>;
      const walk = (value: unknown, depth: number, isMap: boolean): void => {
        assert.ok(depth <= DEPTH_MAX * 2, `${name} is too deep`);
        if (Array.isArray(value)) value.forEach((each) => walk(each, depth, false));
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
        for (const [key, inner] of Object.entries(value as Record<string, unknown>)) {
          if (isMap) {
            walk(inner, depth + 1, false);
            continue;
          }
          assert.ok(!UNREAD.includes(key) && key !== 'nullable', `${name} ${key}`);
          if (key === 'type') assert.equal(typeof inner, 'string', `${name}: one type a field`);
          if (key === '$ref') assert.ok(Object.hasOwn(defs, String(inner).slice(8)), String(inner));
          if (['const', 'enum', 'required', 'examples', 'example', 'default'].includes(key))
            continue;
          walk(inner, depth + 1, key === 'properties' || key === '$defs');
        }
      };
      walk(inputSchema, 0, false);
    }
  });

  it('are in the table of the page, each with its source', () => {
    const page = readFileSync('docs/mcp.md', 'utf8');
    for (const host of ['OpenAI', 'Anthropic', 'Google', 'Mistral', 'VS Code']) {
      const [, row = ''] = new RegExp(`^\\| ${host} +\\|(.*)$`, 'm').exec(page) ?? [];
      const sources = [...row.matchAll(/\]\[([a-z-]+)\]/g)].map(([, name]) => name ?? '');
      assert.ok(sources.length > 0, host);
      for (const name of sources) assert.ok(page.includes(`\n[${name}]: https://`), name);
    }
  });
});
