import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { loadCrs } from './crs.js'
import { fetchRequest, firewall } from './firewall.js'

const [directory, port = '3000'] = process.argv.slice(2)
const check = firewall(loadCrs(directory))
const app = new Hono()

// Before a handler reads the body.
app.use(async (context, next) => {
  const { address } = getConnInfo(context).remote
  const status = await check(fetchRequest(context.req.raw, address))
  if (status !== undefined) return context.text('refused\n', status)
  await next()
})

app.get('/', context => context.text('hello\n'))
app.post('/', async ({ req, json }) => json(await fieldsOf(req)))
app.put('/', ({ req, body }) => body(req.raw.body))

async function fieldsOf(request) {
  if (request.header('content-type') === 'application/json') return request.json()
  return Object.fromEntries(new URLSearchParams(await request.text()))
}

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(port) }, ({ port: used }) => {
  console.log(`listening on http://127.0.0.1:${used}`)
})
