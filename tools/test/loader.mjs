/** `node --import ./tools/test/loader.mjs file.ts` reads TypeScript, stripped once and cached. */
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
