import { createServer } from 'node:http'
import { json, text } from 'node:stream/consumers'
import { loadCrs } from './crs.js'
import { firewall, nodeRequest } from './firewall.js'

const [directory, port = '3000'] = process.argv.slice(2)
const check = firewall(loadCrs(directory))

async function answer(request, response) {
  const status = await check(nodeRequest(request))
  if (status !== undefined) response.writeHead(status).end('refused\n')
  else if (request.method === 'PUT') request.pipe(response)
  else if (request.method === 'POST') response.end(JSON.stringify(await fieldsOf(request)))
  else response.end('hello\n')
}

async function fieldsOf(request) {
  if (request.headers['content-type'] === 'application/json') return json(request)
  return Object.fromEntries(new URLSearchParams(await text(request)))
}

const server = createServer((request, response) => {
  answer(request, response).catch(error => {
    console.error(error.message)
    response.destroy()
  })
})
server.listen(Number(port), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
})
