const { once } = require('node:events');
const { createServer, request: ask } = require('node:http');

/**
 * Dredd waits for the end of an answer, and some streams have none. Where such an answer goes
 * through here, it ends after its first event. The request is passed on with the hub's Host, which
 * its signature covers.
 */
async function firstEventOf(hubUrl) {
  const { hostname, port } = new URL(hubUrl);
  const server = createServer((request, response) => {
    const { method, url: path } = request;
    const headers = { ...request.headers, host: `${hostname}:${port}` };
    const passed = ask({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => {
        text += part;
        if (!/^data:.*\n\n/m.test(text)) return;
        response.end(text);
        passed.destroy();
      });
      answer.on('end', () => response.end(text));
      answer.on('error', () => response.end(text));
    });
    request.pipe(passed);
    response.once('close', () => server.close());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { host: '127.0.0.1', port: String(server.address().port) };
}

module.exports = { firstEventOf };
