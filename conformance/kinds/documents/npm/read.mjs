import { basename } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';

/** Follows every reference of each document and validates it. */
for (const file of process.argv.slice(2)) {
  await SwaggerParser.validate(file);
  process.stdout.write(`${basename(file)}: valid for swagger-parser\n`);
}
