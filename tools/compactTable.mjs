// The client's table of operations for bundles: the few words that a client needs of each, read from
// the contract's own table, in place of the table, which would bring the whole contract along.
import { join, resolve } from 'node:path';
import esbuild from 'esbuild';

const root = resolve(import.meta.dirname, '..');

export async function compactTable() {
  const built = await esbuild.build({
    absWorkingDir: root,
    bundle: true,
    target: 'es2022',
    logLevel: 'warning',
    entryPoints: [join(root, 'clients/typescript/table.ts')],
    format: 'esm',
    write: false,
  });
  const code = Buffer.from(built.outputFiles[0].contents).toString('base64');
  const { callLines } = await import(`data:text/javascript;base64,${code}`);
  return {
    name: 'compact table',
    setup({ onLoad }) {
      onLoad({ filter: /clients\/typescript\/table\.ts$/ }, () => ({
        contents: `export const callLines = ${JSON.stringify(callLines.join('\n'))}.split('\\n');`,
      }));
    },
  };
}
