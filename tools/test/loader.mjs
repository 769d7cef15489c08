/**
 * Lets a process read TypeScript: `node --import ./tools/test/loader.mjs file.ts`. Each file is
 * stripped of its types once and kept (typescript.mjs), so a process pays for reading alone.
 */
import * as nodeModule from 'node:module';
import { loadSync, translated } from './typescript.mjs';

process.setSourceMapsEnabled(true);
if (typeof nodeModule.registerHooks === 'function') nodeModule.registerHooks({ load: loadSync });
else {
  nodeModule.register('./typescript.mjs', import.meta.url);
  // Plain mocha tries `require` first, which these hooks do not cover.
  nodeModule.Module._extensions['.ts'] = (module, path) =>
    module._compile(translated(path), path, 'module');
}
