#!/usr/bin/env node
import { runHub } from './hub.ts';
import { processIo } from './processIo.ts';
import { servedBy } from './servedBy.ts';

process.exitCode = await runHub(process.argv.slice(2), processIo(servedBy(import.meta.url)));
