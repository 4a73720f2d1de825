import { chmod, rename, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { newId } from '../../kit/ids.ts'
import type { UnixListen } from '../../model/settings/index.ts'

/**
 * Makes a unix socket appear at its path with its permissions. It is made beside the path and then replaces the file
 * that an earlier process left there. So clients find one of the two at every moment.
 * @param listen makes the socket at a path
 * @returns removes the file, unless another process has replaced it
 */
export async function listenAtPath(
  { path, mode }: UnixListen,
  listen: (path: string) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const made = `${path}.${newId().slice(0, 8)}`
  await listen(made)
  await chmod(made, mode)
  const { ino } = await stat(made)
  await rename(made, path)
  return async () => {
    const facts = await stat(path).catch(() => undefined)
    if (facts?.ino === ino) await rm(path)
  }
}

/**
 * Checks that a unix socket can be made. The socket of a process that has ended is no obstacle.
 * @throws EADDRINUSE if a process listens there, EEXIST if another kind of file is there
 */
export async function assertPathUsable({ path }: UnixListen): Promise<void> {
  const facts = await stat(path).catch(error => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  })
  if (facts === undefined) return
  if (!facts.isSocket()) throw withCode('EEXIST')
  if (await answers(path)) throw withCode('EADDRINUSE')
}

function answers(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', error => resolve((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED'))
  })
}

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code })
}
