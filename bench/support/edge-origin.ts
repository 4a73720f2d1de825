import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Random } from './random.ts'

/** An origin in a separate process, as fast as node's server: reads the request, answers one page of 2 kB, or 100 kB for `/large`. */
const page = Buffer.from('<p>An ordinary page of a shop.</p>\n'.repeat(58))
const random = new Random()
const large = Buffer.from(
  Array.from(
    { length: 450 },
    () =>
      `<li class="product"><a href="/products/${random.hex(8)}"><img src="/images/${random.hex(12)}.webp" alt="${random.text(20)}"></a><h3>${random.text(24)}</h3><p>${random.text(80)}</p></li>\n`,
  ).join(''),
)
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const body = request.url === '/large' ? large : page
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length })
    response.end(body)
  })
})
// Contenders keep idle connections between their turns. One that the origin closes as a POST is sent gives a 502.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit(0))
