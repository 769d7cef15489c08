import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COLLECTED, COMMITTED, generate, readable } from './generate.ts';

/** Generates into a scratch folder and fails when the committed files are edited or stale. */
const folder = mkdtempSync(join(tmpdir(), 'hub-generated-'));
try {
  await generate(folder);
  const stale = COMMITTED.filter(
    (name) =>
      readFileSync(join(folder, name), 'utf8') !== readFileSync(join('generated', name), 'utf8'),
  );
  for (const [file, text] of COLLECTED) {
    if ((await readable(text())) !== readFileSync(file, 'utf8')) stale.push(file);
  }
  if (stale.length > 0) {
    process.stderr.write(
      `generated/ is not what spec/ gives: ${stale.join(', ')}. Run npm run generate.\n`,
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
