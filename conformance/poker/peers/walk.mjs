import { spawnSync } from 'node:child_process';
import { installPeers } from '../../kinds/peers/install.mjs';

// `npm run poker:walk`: walk.ts, once poker-evaluator is there.
installPeers();
const { status } = spawnSync('npx', ['tsx', 'conformance/poker/peers/walk.ts'], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
