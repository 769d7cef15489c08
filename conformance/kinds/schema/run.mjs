import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileRule } from '../../../workflows/kernel/checks/compiler.ts';
import { asCommand, environment } from '../../../tools/python.mjs';

/**
 * Compares verdicts on generated pairs of JSON Schema and value with those of the `jsonschema`
 * package for Python. Exit codes: 0 all agree, 1 one does not, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../../..');
const { SCHEMA_PAIRS = '20000', SCHEMA_SEED = '1' } = process.env;
const OUTPUT_BYTES_MAX = 512 * 1024 * 1024;
/** Most pairs have to be judged, or the comparison says little. */
const REFUSED_SHARE_MAX = 0.1;

await asCommand(async () => {
  const cache = join(root, 'node_modules/.cache/schema-python');
  const python = join(environment(join(here, 'requirements.txt'), cache), 'python');
  const output = execFileSync(python, [join(here, 'pairs.py'), SCHEMA_PAIRS, SCHEMA_SEED], {
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  const count = { pairs: 0, valid: 0, refused: 0, wrong: 0 };
  for (const line of output.trim().split('\n')) {
    const { schema, value, valid } = JSON.parse(line);
    count.pairs += 1;
    if (valid) count.valid += 1;
    const rule = compileRule({ kind: 'json_schema', schema });
    if (!('ok' in rule)) {
      count.refused += 1;
      continue;
    }
    const verdicts = [rule.judge(value).accepted, rule.judgeInFull(value).accepted];
    if (verdicts.every((accepted) => accepted === valid)) continue;
    count.wrong += 1;
    if (count.wrong <= 10) process.stdout.write(`wrong: ${line}\n`);
  }
  process.stdout.write(`seed ${SCHEMA_SEED}: ${JSON.stringify(count)}\n`);
  const isThin = count.refused > count.pairs * REFUSED_SHARE_MAX;
  return count.wrong > 0 || isThin ? 1 : 0;
});
