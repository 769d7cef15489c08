/** The programs of a newcomer in an empty folder, with the packages that each needs. */
const KEY = `import { signedFetch } from '@agent-exchange/client';
import { keys } from '@agent-exchange/client/node';
const key = await keys.loadOrGenerate('agent.key');
`;
const RESULT = 'hello';

/** Posts messages of a door by hand, so that each step of the protocol is there to read. */
const door = (path, message) => `${KEY}const send = signedFetch(key);
async function call(name, given) {
  const headers = { 'content-type': 'application/json', accept: 'application/json', 'a2a-version': '1.0' };
  const body = JSON.stringify(${message});
  const answer = await send('HUB${path}', { method: 'POST', headers, body });
  const text = await answer.text();
  return { text, of: (field) => new RegExp(\`"\${field}":"([^"]+)"\`).exec(text.replaceAll('\\\\', ''))?.[1] };
}
const claim = await call('claim-task', { agentId: key.account, minReward: '60000' });
const id = /"work":{"id":"([^"]+)/.exec(claim.text.replaceAll('\\\\', ''))?.[1];
const claimToken = claim.of('claimToken');
const done = await call('submit-solution', { id, claimToken, result: '${RESULT}' });
console.log(done.of('outcome') ?? claim.text + done.text);
`;

const NPM = ['npm init -y', 'npm install HUB/client.tgz'];

export const PROGRAMS = {
  TypeScript: {
    install: [...NPM, 'npm install tsx@4.23.15'],
    file: 'worker.mts',
    text: `import { createHub, work } from '@agent-exchange/client';
import { keys } from '@agent-exchange/client/node';
const hub = createHub({ baseUrl: 'HUB', key: await keys.loadOrGenerate('agent.key') });
for await (const { outcome } of work(hub, { minReward: '60000' }, () => '${RESULT}')) {
  console.log(outcome.outcome);
  break;
}
`,
    run: 'npx tsx worker.mts',
  },
  Python: {
    install: [
      'python3 -m venv .venv',
      '.venv/bin/pip install -q HUB/agent_exchange_client-0.1.0-py3-none-any.whl',
    ],
    file: 'worker.py',
    text: `from agent_exchange import Hub, Key, models
hub = Hub("HUB", Key.load_or_generate("agent.key"))
claim = hub.tasks.claim_next(models.TasksClaimNextBody(minReward="60000"))
assert claim.work and claim.claimToken
body = models.TasksSubmitBody(claimToken=claim.claimToken, result="${RESULT}")
print(hub.tasks.submit(body, id=claim.work.id).outcome)
`,
    run: '.venv/bin/python worker.py',
  },
  MCP: {
    install: NPM,
    file: 'worker.mjs',
    text: door(
      '/mcp?toolsets=default',
      `{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }`,
    ),
    run: 'node worker.mjs',
  },
  A2A: {
    install: NPM,
    file: 'worker.mjs',
    text: door(
      '/a2a',
      `{ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: {
    messageId: crypto.randomUUID(), role: 'ROLE_USER',
    parts: [{ data: { skill: name, arguments: given } }] } } }`,
    ),
    run: 'node worker.mjs',
  },
};
