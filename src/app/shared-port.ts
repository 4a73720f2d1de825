import { createServer, type ListenOptions } from 'node:net'
import type { Listen } from '../model/settings.ts'

/** Can several threads listen on one address? The system says no on macOS and Windows. */
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
 * Sharing would also let a second instance in by mistake, which then gets every other request.
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
