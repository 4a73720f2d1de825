import fastify from 'fastify'
import { loadCrs } from './crs.js'
import { firewall, nodeRequest } from './firewall.js'

const [directory, port = '3000'] = process.argv.slice(2)
const check = firewall(loadCrs(directory))
const app = fastify()

// Before the body is read.
app.addHook('onRequest', async (request, reply) => {
  const status = await check(nodeRequest(request.raw))
  if (status !== undefined) return reply.code(status).send('refused\n')
})

const form = 'application/x-www-form-urlencoded'
app.addContentTypeParser(form, { parseAs: 'string' }, async (_request, body) =>
  Object.fromEntries(new URLSearchParams(body)),
)
app.addContentTypeParser('application/octet-stream', async (_request, payload) => payload)

app.get('/', async () => 'hello\n')
app.post('/', async request => request.body)
app.put('/', (request, reply) => reply.send(request.body))

console.log(`listening on ${await app.listen({ host: '127.0.0.1', port: Number(port) })}`)
