import { readFileSync, writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { withCountedLengths } from './lengths.ts';

/** Writes the counted lines of each part into ARCHITECTURE.md: `npm run docs:figures`. */
const PAGE = 'ARCHITECTURE.md';
const page = withCountedLengths(readFileSync(PAGE, 'utf8'));
writeFileSync(PAGE, await format(page, { parser: 'markdown', printWidth: 100 }));
