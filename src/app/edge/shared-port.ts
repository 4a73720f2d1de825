import { createServer, type ListenOptions } from 'node:net'
import type { Listen } from '../../model/settings/index.ts'

/** Whether several threads can listen on one address. macOS and Windows do not support it. */
export async function canSharePorts({ host }: Listen): Promise<boolean> {
  try {
    await tryListening({ host, port: 0, reusePort: true })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTSUP') return false
    throw error
  }
}

/**
 * Checks that the address is free: sharing would also admit a second instance, which would get half of the requests.
 * @throws EADDRINUSE
 */
export async function assertUnused({ host, port }: Listen): Promise<void> {
  if (port !== 0) await tryListening({ host, port })
}

function tryListening(options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(options, () => server.close(() => resolve()))
  })
}
