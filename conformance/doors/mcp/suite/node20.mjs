// The suite imports `globSync` from `fs`, which came with Node 22, for commands that are not run
// here. On an older Node its import gets a stand-in that finds nothing.
import * as fs from 'node:fs';
import { register } from 'node:module';

const module = (source) => `data:text/javascript,${encodeURIComponent(source)}`;

if (fs.globSync === undefined) {
  const whole = module(
    'export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => [];',
  );
  const isSuite = '/@modelcontextprotocol/conformance/dist/';
  register(
    module(`export const resolve = async (name, context, next) =>
      name === 'fs' && context.parentURL?.includes('${isSuite}')
        ? { url: '${whole.replaceAll("'", '%27')}', shortCircuit: true }
        : next(name, context);`),
  );
}
