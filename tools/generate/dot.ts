import { readFileSync } from 'node:fs';
import createWabt from 'wabt';

const SOURCE = 'workflows/kernel/vectors/dot.wat';

/** Returns `generated/dot.ts`, which has the program of dot.wat in base64. */
export async function dotModule(): Promise<string> {
  const { parseWat } = await createWabt();
  const text = readFileSync(new URL(`../../${SOURCE}`, import.meta.url), 'utf8');
  const parsed = parseWat(SOURCE, text, { simd: true });
  const { buffer } = parsed.toBinary({});
  parsed.destroy();
  return `/** ${SOURCE}, assembled. */\nexport const program = '${Buffer.from(buffer).toString('base64')}';\n`;
}
