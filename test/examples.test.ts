import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request as send } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { libraryFlags } from './support/library.ts'

/** The examples as a user starts them: with a few rules in the layout of a CRS release, and with the CRS if it is here. */

const folder = join(import.meta.dirname, '../examples/waf')
const crs = join(import.meta.dirname, '../../shared/crs/4.28.0')
const attack = `<script>alert('attack')</script>`

async function writeFewRules(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-examples-'))
  await mkdir(join(directory, 'rules'))
  await writeFile(join(directory, 'crs-setup.conf.example'), 'SecDefaultAction "phase:2,log,pass"\n')
  await writeFile(join(directory, 'rules/words.data'), '# words\nattack\n')
  await writeFile(
    join(directory, 'rules/REQUEST-1.conf'),
    `SecRule ARGS|REQUEST_HEADERS "@pmFromFile words.data" \\
       "id:1,phase:2,severity:CRITICAL,tag:paranoia-level/1"
     SecRule ARGS "@contains careful" "id:2,phase:2,severity:CRITICAL,tag:paranoia-level/2"
     SecRule ARGS "@contains notice" "id:3,phase:2,severity:NOTICE,tag:paranoia-level/1"`,
  )
  return directory
}

interface Example {
  readonly url: string
  readonly child: ChildProcess
}

async function start(name: string, directory: string): Promise<Example> {
  const command = [...libraryFlags, join(folder, name), directory, '0']
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface(child.stdout)) {
    return { url: line.replace('listening on ', ''), child }
  }
  return assert.fail(`${name} did not start`)
}

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: readonly string[]
  readonly agent?: Agent
}

async function ask(url: string, { method = 'GET', path = '/', headers = {}, body = [], agent }: Sent) {
  const options = { method, headers: { ...browser, ...headers }, ...(agent && { agent }) }
  const request = send(url + path, options)
  for (const part of body) {
    request.write(part)
    if (body.length > 1) await new Promise(resolve => setTimeout(resolve, 5))
  }
  request.end()
  const [response] = await once(request, 'response')
  const bytes = await buffer(response)
  return { status: response.statusCode as number, text: bytes.toString() }
}

const browser = {
  Host: 'www.site.example',
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  Accept: '*/*',
}

/** In several parts the body goes out chunked. */
function post(type: string, ...body: readonly string[]): Sent {
  const length = body.length === 1 ? { 'Content-Length': String(Buffer.byteLength(body[0]!)) } : {}
  return { method: 'POST', headers: { 'Content-Type': type, ...length }, body }
}
const form = (...body: readonly string[]): Sent => post('application/x-www-form-urlencoded', ...body)
const json = (value: unknown): Sent => post('application/json', JSON.stringify(value))

const encoded = encodeURIComponent(attack)
const refused: readonly (readonly [name: string, sent: Sent])[] = [
  ['query', { path: `/?q=${encoded}` }],
  ['header', { headers: { Referer: attack } }],
  ['form', form(`name=Ada&text=${encoded}`)],
  ['form in parts', form('name=Ada&text=', encoded.slice(0, 9), encoded.slice(9))],
  ['JSON', json({ list: [1, { text: attack }] })],
]

const long = 'An ordinary line of a text.\n'.repeat(4000)
const passed: readonly (readonly [name: string, sent: Sent, want: string])[] = [
  ['GET', { path: '/' }, 'hello\n'],
  ['form', form('name=Ada&text=a+kettle'), '{"name":"Ada","text":"a kettle"}'],
  ['form in parts', form('name=A', 'da&text=', 'a+kettle'), '{"name":"Ada","text":"a kettle"}'],
  ['JSON', json({ list: [1, { text: 'é' }] }), '{"list":[1,{"text":"é"}]}'],
]

const octets = { 'Content-Type': 'application/octet-stream' }
const upload = (...body: readonly string[]): Sent => ({
  ...post(octets['Content-Type'], ...body),
  method: 'PUT',
})
const uploads: readonly (readonly [name: string, sent: Sent, want: string])[] = [
  ['of no bytes', upload(''), ''],
  ['of no bytes, chunked', { ...upload(), headers: { ...octets, 'Transfer-Encoding': 'chunked' } }, ''],
  ['of some bytes', upload(long), long],
  ['in parts', upload(...Array.from({ length: 6 }, () => long)), long.repeat(6)],
  // More than is inspected.
  ['of megabytes', upload(long.repeat(30)), long.repeat(30)],
]

function asks(example: () => Example): void {
  for (const [name, sent] of refused) {
    it(`refuses an attack: ${name}`, async () => assert.equal((await ask(example().url, sent)).status, 403))
  }
  for (const [name, sent, want] of passed) {
    it(`passes: ${name}`, async () => {
      assert.deepEqual(await ask(example().url, sent), { status: 200, text: want })
    })
  }
}

/** Checks that need the small set of rules, or no rules. */
function asksMore(example: () => Example): void {
  for (const [name, sent, want] of uploads) {
    it(`streams an upload on: ${name}`, async () => {
      assert.deepEqual(await ask(example().url, sent), { status: 200, text: want })
    })
  }

  it('blocks from a score of 5 on, by rules of the chosen level', async () => {
    assert.equal((await ask(example().url, { path: '/?q=notice' })).status, 200)
    assert.equal((await ask(example().url, { path: '/?q=careful' })).status, 200)
  })

  it('obeys a rule with its own status', async () => {
    assert.equal((await ask(example().url, post('application/json', '{"broken'))).status, 400)
  })

  it('answers request after request on one connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (const [sent, status] of [
      [form('a=1'), 200],
      [upload(long.repeat(30)), 200],
      [form(`a=${encoded}`), 403],
      [{ path: '/' }, 200],
      [form('a=1', '&b=2'), 200],
    ] as const) {
      assert.equal((await ask(example().url, { ...sent, agent })).status, status)
    }
    agent.destroy()
  })

  it('survives a client that leaves in the middle of a body', async () => {
    const { hostname, port } = new URL(example().url)
    const socket = connect(Number(port), hostname)
    const head =
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\nContent-Type: application/json\r\n\r\n{"a":'
    await new Promise(resolve => socket.write(head, resolve))
    await new Promise(resolve => setTimeout(resolve, 20))
    socket.destroy()
    await once(socket, 'close')
    assert.equal((await ask(example().url, form('a=1'))).status, 200)
  })
}

for (const name of ['http.js', 'express.js', 'fastify.js', 'hono.js']) {
  describe(`examples/waf/${name}`, () => {
    let directory: string
    let example: Example
    before(async () => {
      directory = await writeFewRules()
      example = await start(name, directory)
    })
    after(async () => {
      example.child.kill()
      await rm(directory, { recursive: true, force: true })
    })
    asks(() => example)
    asksMore(() => example)
  })

  describe(`examples/waf/${name} with the CRS`, {
    skip: existsSync(crs) ? false : 'it is not here (../shared/crs)',
  }, () => {
    let example: Example
    before(async () => {
      example = await start(name, crs)
    })
    after(() => example.child.kill())
    asks(() => example)
  })
}
