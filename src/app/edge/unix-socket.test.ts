import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { link, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { assertPathUsable, listenAtPath } from './unix-socket.ts'

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'sluice-socket-'))
  t.after(() => rm(path, { recursive: true }))
  return path
}

/** A server at a path. */
async function listen(t: TestContext, path: string): Promise<Server> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(path, resolve))
  t.after(() => server.close())
  return server
}

test('a socket has its permissions, takes the place of an earlier one, and is removed by its owner only', async t => {
  const directory = await folder(t)
  const path = join(directory, 'edge.sock')
  const removeFirst = await listenAtPath({ path, mode: 0o600 }, made => listen(t, made))
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  const removeSecond = await listenAtPath({ path, mode: 0o666 }, made => listen(t, made))
  assert.equal((await stat(path)).mode & 0o777, 0o666)
  await removeFirst()
  assert.deepEqual(await readdir(directory), ['edge.sock'])
  await removeSecond()
  assert.ok(!existsSync(path))
})

test('a path is refused while a process listens there, or another kind of file is there', async t => {
  const directory = await folder(t)
  const path = join(directory, 'edge.sock')
  await assertPathUsable({ path, mode: 0o660 })
  const made = join(directory, 'made')
  const server = await listen(t, made)
  await assert.rejects(assertPathUsable({ path: made, mode: 0o660 }), { code: 'EADDRINUSE' })
  // Its file stays, as after a crash.
  await link(made, path)
  await new Promise(resolve => server.close(resolve))
  await assertPathUsable({ path, mode: 0o660 })
  await writeFile(join(directory, 'file'), '')
  await assert.rejects(assertPathUsable({ path: join(directory, 'file'), mode: 0o660 }), { code: 'EEXIST' })
})
