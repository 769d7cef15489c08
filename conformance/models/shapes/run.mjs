import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../kinds/dredd/hub.mjs';
import { copyBeside, installIn } from '../../harness/npm.mjs';
import { asCommand, CannotRun, environment } from '../../../tools/python.mjs';
import { NOT_PASSED_ON } from '../_shapeReasons.ts';
import { SHAPES } from '../_shapes.ts';
import { CUSTOM_TOOL } from '../_typesOfClients.ts';
import { fieldsOfTypes } from './fieldsOfTypes.mjs';

/**
 * `npm run models:shapes`: reads the types of streamed chunks from the SDKs of providers, and checks
 * that each field, with each kind of value that it may have, is in a stream of the differential test
 * or has a reason why not. `-- --newest` reads the newest versions. Exit codes: 0 all are, 1 some
 * field is not or some reason is out of use, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const SDKS = {
  '@cerebras/cerebras_cloud_sdk': ['resources/chat/completions', 'ChatCompletion'],
  '@huggingface/tasks': ['', 'ChatCompletionStreamOutput'],
  '@mistralai/mistralai': ['models/components', 'CompletionChunk'],
  '@openrouter/sdk': ['models', 'ChatStreamChunk'],
  '@perplexity-ai/perplexity_ai': ['resources', 'StreamChunk'],
  'groq-sdk': ['resources/chat/completions', 'ChatCompletionChunk'],
  'llama-stack-client': ['resources/chat', 'ChatCompletionChunk'],
  openai: ['resources/chat/completions', 'ChatCompletionChunk'],
  'together-ai': ['resources/chat/completions', 'ChatCompletionChunk'],
  'writer-sdk': ['resources', 'ChatCompletionChunk'],
};
const PYTHON_SDKS = {
  'fireworks-ai': [
    ['fireworks/types/chat/chat_completion_chunk.py', 'fireworks/types/shared/*.py'],
    'ChatCompletionChunk',
  ],
  litellm: [['litellm/types/utils.py', 'litellm/types/llms/openai.py'], 'ModelResponseStream'],
  sglang: [['sglang/srt/entrypoints/openai/protocol.py'], 'ChatCompletionStreamResponse'],
  'zai-sdk': [['zai/types/chat/chat_completion_chunk.py'], 'ChatCompletionChunk'],
};

await asCommand(async () => {
  const isNewest = process.argv.includes('--newest');
  const folder = join(root, 'node_modules/.cache/models-shapes');
  const fields = { ...npmFields(folder, isNewest), ...pythonFields(folder, isNewest) };
  return report(fields) ? 0 : 1;
});

function npmFields(folder, isNewest) {
  copyBeside(here, folder);
  const names = Object.keys(SDKS);
  const isInstalled = existsSync(join(folder, 'node_modules/writer-sdk'));
  if (isNewest || !isInstalled) {
    installIn(folder, 'The SDKs', isNewest ? names.map((name) => `${name}@latest`) : []);
  }
  const typeOf = ([name, [path, type]]) => [
    name,
    `import(${JSON.stringify([name, path].filter(Boolean).join('/'))}).${type}`,
  ];
  return fieldsOfTypes(folder, Object.fromEntries(Object.entries(SDKS).map(typeOf)));
}

/** Without their dependencies, since their source is only read. */
function pythonFields(folder, isNewest) {
  const bin = environment(join(here, 'requirements.txt'), folder, ['--no-deps']);
  const python = join(bin, 'python');
  if (isNewest) {
    const install = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--upgrade'];
    if (spawnSync(python, [...install, ...Object.keys(PYTHON_SDKS)]).status !== 0) {
      throw new CannotRun('The newest SDKs of Python could not be installed.');
    }
  }
  const input = JSON.stringify(PYTHON_SDKS);
  const read = spawnSync(python, [join(here, 'fields.py')], { input, encoding: 'utf8' });
  if (read.status !== 0) throw new Error(read.stderr);
  return JSON.parse(read.stdout);
}

function report(fields) {
  const covered = coveredFields();
  const reasons = Object.keys(NOT_PASSED_ON);
  const used = new Set();
  let missing = 0;
  for (const [sdk, all] of Object.entries(fields).sort()) {
    const open = all.filter((field) => {
      const reason = reasons.find((each) => isBelow(field, each));
      if (reason !== undefined) used.add(reason);
      return reason === undefined && !isCovered(field, covered);
    });
    missing += open.length;
    process.stdout.write(`${open.length === 0 ? 'ok   ' : 'FAIL '} ${sdk}: ${all.length} fields\n`);
    for (const field of open) process.stdout.write(`      ${field} is in no stream\n`);
  }
  const unused = reasons.filter((each) => !used.has(each));
  for (const each of unused) process.stdout.write(`FAIL  the reason of ${each} is out of use\n`);
  const shapes = SHAPES.length + 1;
  process.stdout.write(`${shapes} streams, ${covered.size} fields in them, ${missing} missing\n`);
  return missing === 0 && unused.length === 0;
}

function isBelow(field, place) {
  return field === place || (field.startsWith(place) && /[ .[]/.test(field[place.length] ?? ''));
}

/** A field may have any value: its path in a stream is enough. Constants are texts but for ends. */
function isCovered(field, covered) {
  const [path, kind] = [field.slice(0, field.indexOf(' ')), field.slice(field.indexOf(' ') + 1)];
  if (kind === 'any') return [...covered].some((each) => each.startsWith(`${path} `));
  if (!kind.startsWith('"') || /finish_reason$|type$/.test(path)) return covered.has(field);
  return covered.has(`${path} string`);
}

/** Each path of the streams with the kinds of its values. */
function coveredFields() {
  const fields = new Set();
  const walk = (value, path) => {
    if (Array.isArray(value)) {
      fields.add(`${path} array`);
      for (const each of value) walk(each, `${path}[]`);
    } else if (value === null) fields.add(`${path} null`);
    else if (typeof value === 'object') {
      if (path !== '') fields.add(`${path} object`);
      for (const [name, each] of Object.entries(value)) {
        walk(each, path === '' ? name : `${path}.${name}`);
      }
    } else {
      fields.add(`${path} ${typeof value}`);
      if (typeof value === 'string') fields.add(`${path} ${JSON.stringify(value)}`);
    }
  };
  for (const { lines } of [...SHAPES, CUSTOM_TOOL]) {
    for (const line of lines) {
      const text = line.startsWith('data: {') ? line.slice('data: '.length) : '{}';
      walk(JSON.parse(text), '');
    }
  }
  return fields;
}
