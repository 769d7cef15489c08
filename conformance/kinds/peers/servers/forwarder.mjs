// The least that a hub in front of an agent can be: a web server that sends each request on as it
// came, over connections that it keeps, and knows nothing of it. What it costs is the floor.
import { Agent, createServer, request } from 'node:http';

const [, , port, target] = process.argv;
const agent = new Agent({ keepAlive: true });
createServer((came, answer) => {
  const { method, headers } = came;
  const sent = request(target, { method, headers, agent }, (got) => {
    answer.writeHead(got.statusCode ?? 502, got.headers);
    got.pipe(answer);
  });
  sent.on('error', () => answer.destroy());
  came.pipe(sent);
}).listen(Number(port), '127.0.0.1', () => process.send('ready'));
process.on('disconnect', () => process.exit(0));
