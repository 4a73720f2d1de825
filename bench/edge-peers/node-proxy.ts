import { createServer } from 'node:http'
import { Pool } from 'undici'

/** A plain proxy as one would write it: node's server, undici, no rules and no records. Arguments: its port, the origin's. */
const [port, originPort] = process.argv.slice(2).map(Number)
const origin = new Pool(`http://127.0.0.1:${originPort}`, { connections: 128 })

createServer((request, response) => {
  const { method, url, headers } = request
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...forwarded } = headers
  origin
    .stream(
      { method: method!, path: url!, headers: forwarded, body: hasBody ? request : null },
      ({ statusCode, headers: received }) => {
        response.writeHead(statusCode, received)
        return response
      },
    )
    .catch((error: Error) => response.destroy(error))
}).listen(port, '127.0.0.1')
