import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An origin in a separate process, as fast as node's server: reads the request, answers one page of 2 kB. */
const page = Buffer.from('<p>An ordinary page of a shop.</p>\n'.repeat(58))
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': page.length })
    response.end(page)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit(0))
