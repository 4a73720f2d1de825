import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { bareEnvironment } from '../../kit/testing/bare-environment.ts'

test('a download that breaks off leaves the earlier file, and no unfinished one', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-download-'))
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/vnd.apache.parquet', 'content-length': 1_000_000 })
    response.write(Buffer.alloc(200_000), () => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.close()
    await rm(folder, { recursive: true })
  })
  const file = join(folder, 'rows.parquet')
  await writeFile(file, 'earlier')
  const main = join(import.meta.dirname, '../main.ts')
  const { port } = server.address() as AddressInfo
  const command = ['sql', 'select 1', '--account', 'a', '--parquet', file]
  const child = spawn(process.execPath, [main, ...command], {
    env: { ...bareEnvironment, CLOUDFLARE_BASE_URL: `http://127.0.0.1:${port}`, CLOUDFLARE_API_TOKEN: 'T' },
  })
  const said = text(child.stderr)
  const [code] = await once(child, 'exit')
  assert.notEqual(code, 0)
  assert.match(await said, /rows\.parquet is not written: .*(closed|terminated|reset)/)
  assert.deepEqual(await readdir(folder), ['rows.parquet'])
  assert.equal(await readFile(file, 'utf8'), 'earlier')
})
