#!/usr/bin/env node
import { runHub } from './hub.ts';
import { processIo } from './processIo.ts';

process.exitCode = await runHub(process.argv.slice(2), processIo());
