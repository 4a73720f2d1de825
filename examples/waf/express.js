import express from 'express'
import { loadCrs } from './crs.js'
import { firewall, nodeRequest } from './firewall.js'

const [directory, port = '3000'] = process.argv.slice(2)
const check = firewall(loadCrs(directory))
const app = express()

// Before the body parsers.
app.use((request, response, next) => {
  check(nodeRequest(request)).then(
    status => (status === undefined ? next() : response.status(status).send('refused\n')),
    next,
  )
})

// The parsers read the bytes that the rules inspected: compressed bodies are refused.
app.use(express.json({ inflate: false }))
app.use(express.urlencoded({ extended: false, inflate: false }))

app.get('/', (_request, response) => void response.send('hello\n'))
app.post('/', (request, response) => void response.json(request.body))
app.put('/', (request, response) => void request.pipe(response))

const server = app.listen(Number(port), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
})
