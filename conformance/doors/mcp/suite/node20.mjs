// Stands in for `globSync`, which Node before 22 lacks; the suite imports it and never calls it.
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
