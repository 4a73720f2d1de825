import { type AddressPolicy, failureWords, guardedConnector } from '../outgoing/index.ts'
import { type CheckTarget, type Finding, failed, passed, timedOut } from './finding.ts'

/** Connects to the port of the monitor, and closes the connection. */
export function checkTcp(target: CheckTarget, policy: AddressPolicy): Promise<Finding> {
  const { monitor, origin } = target
  const connect = guardedConnector(policy, { timeout: monitor.timeoutSeconds * 1000 })
  const { address } = origin
  const url = new URL(`http://${address.includes(':') ? `[${address}]` : address}:${monitor.port}`)
  const { hostname, host } = url
  return new Promise(resolve => {
    connect({ hostname, host, protocol: url.protocol, port: url.port || '80' }, (error, socket) => {
      if (error === null) {
        socket.destroy()
        resolve(passed(0))
      } else if ((error as NodeJS.ErrnoException).code === 'UND_ERR_CONNECT_TIMEOUT')
        resolve(timedOut(target))
      else resolve(failed(failureWords(url, error)))
    })
  })
}
