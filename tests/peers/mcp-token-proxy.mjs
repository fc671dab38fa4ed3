// Adds a token to every request on its way to a server, for clients that cannot: the conformance suite has no place for one. Changes
// nothing else, and prints the address where it listens.
// Usage: node mcp-token-proxy.mjs HOST:PORT TOKEN
import http from "node:http";

const [server, token] = process.argv.slice(2);
const [host, port] = server.split(":");
http
  .createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const onward = http.request({ host, port, method: request.method, path: request.url, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  })
  .listen(0, "127.0.0.1", function () {
    console.log(`127.0.0.1:${this.address().port}`);
  });
