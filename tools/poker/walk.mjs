import { spawnSync } from 'node:child_process';
import { installPeers } from '../peers/install.mjs';

// `npm run poker:walk`: walk.ts, once poker-evaluator is there.
installPeers();
const { status } = spawnSync('npx', ['tsx', 'tools/poker/walk.ts'], { stdio: 'inherit' });
process.exitCode = status ?? 1;
