import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { miniCrs } from '../support/mini-crs.ts'
import { api, discard, type Instance, startSluice } from '../support/sluice.ts'

/** Cloudflare's Go SDK against a running instance. `npm run test:servers -- go-sdk` runs it. */
const flows = join(import.meta.dirname, 'go-sdk')

let sluice: Instance
let settings: Readonly<Record<string, string>>

before(async () => {
  sluice = await startSluice({ settings: { SLUICE_CRS: await miniCrs(), SLUICE_ROLES: 'control' } })
  const account = (await api(sluice, 'GET', '/accounts')).result[0].id
  const made = await api(sluice, 'POST', '/zones', { name: 'go.test', account: { id: account } })
  settings = {
    CLOUDFLARE_BASE_URL: sluice.apiUrl,
    CLOUDFLARE_API_TOKEN: sluice.token,
    ACCOUNT: account,
    ZONE: made.result.id,
    FILES: sluice.data,
  }
})

after(() => discard(sluice))

async function go(directory: string, ...words: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn('go', words, { cwd: directory, env: { ...process.env, ...settings } })
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const printed = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, output: printed.join('') }
}

test('the flows of test/servers/go-sdk', async () => {
  const { code, output } = await go(flows, 'test', '-count=1', '-v', '.')
  assert.equal(code, 0, output)
  assert.equal(output.match(/^--- PASS/gm)?.length, 6, output)
})

test('the example of the docs runs as printed', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/reference/api.md'), 'utf8')
  const [, example] = /```go\n(.*?)```/s.exec(page) ?? []
  const directory = await mkdtemp(join(tmpdir(), 'sluice-go-sdk-'))
  try {
    for (const name of ['go.mod', 'go.sum']) await cp(join(flows, name), join(directory, name))
    await writeFile(join(directory, 'main.go'), example!)
    const { code, output } = await go(directory, 'run', '.')
    assert.equal(code, 0, output)
    assert.match(output, /^go\.test: /m)
  } finally {
    await rm(directory, { recursive: true })
  }
})
