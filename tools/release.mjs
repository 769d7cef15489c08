// `npm run spec:release`: stores the released contract, without examples, for later comparison.
import { readFileSync, writeFileSync } from 'node:fs';

const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const shared = Object.values(document.components.responses ?? {});
const responses = operations.flatMap((operation) => Object.values(operation.responses ?? {}));
for (const { content = {} } of [...shared, ...responses]) {
  for (const media of Object.values(content)) {
    delete media.example;
    delete media.examples;
  }
}
writeFileSync('spec/released/openapi.json', `${JSON.stringify(document)}\n`);
