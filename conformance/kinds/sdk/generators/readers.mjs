import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../dredd/hub.mjs';

/** Linters and parsers by others: each must find no error and no warning. */
const CONTRACT = join(root, 'generated/openapi.json');

const IN_STREAMS =
  /Unused model: (Chat|Compat)Delta$|(Messages|Responses)EventData$|(Preview|ChunkFinishReason|WebhookMessage)$/;

export const READERS = {
  Spectral: async ({ run, npm, folder }) => {
    const rules = join(folder, 'spectral.json');
    writeFileSync(rules, JSON.stringify({ extends: ['spectral:oas'] }));
    await run(npm('spectral'), ['lint', CONTRACT, '-r', rules, '--fail-severity=hint']);
  },
  'swagger-parser': async ({ run, at }) => {
    const code = `(await import(process.argv[1])).default.validate(process.argv[2])`;
    const parser = join(at, 'node_modules/@apidevtools/swagger-parser/lib/index.js');
    const words = ['--input-type=module', '-e', `await ${code}`, parser, CONTRACT];
    await run(process.execPath, words);
  },
  // With the rules of spec/redocly.yaml: the paths of the interface are what they are, so two that
  // differ only in a literal are no fault.
  Redocly: ({ run }) =>
    run(process.execPath, ['--import=tsx', join(root, 'tools/lint.ts')], {}, root),
  'openapi-generator validate': async ({ run, jar }) => {
    const output = await run('java', ['-jar', await jar(), 'validate', '-i', CONTRACT]);
    const faults = output.split('\n').filter((line) => /^\s*- /.test(line));
    // A schema that only contentSchema or an extension refers to is used; the tool does not follow those.
    const others = faults.filter((line) => !IN_STREAMS.test(line));
    if (others.length > 0) throw new Error(others.join('\n'));
  },
};
