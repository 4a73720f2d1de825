import { execFile } from 'node:child_process'
import { retireLimits } from '../limits.ts'

/** The state of the service, for systemd. `READY` ends a `RELOADING`; `STATUS` is a line of `systemctl status`. */
export interface ServiceState {
  readonly READY?: 1
  readonly RELOADING?: 1
  readonly STOPPING?: 1
  readonly STATUS?: string
}

/**
 * Tells the state to a service manager that waits for it (`Type=notify`); without one, does nothing. node cannot send to
 * the manager's socket, which takes datagrams, so systemd's own program does. Its unit needs `NotifyAccess=all`.
 * @source sd_notify(3), systemd-notify(1)
 */
export function tellServiceManager(state: ServiceState, report: (line: string) => void): Promise<void> {
  if (process.env['NOTIFY_SOCKET'] === undefined) return Promise.resolve()
  const assignments = Object.entries(state).map(([name, value]) => `${name}=${value}`)
  return new Promise(resolve => {
    execFile('systemd-notify', assignments, { timeout: retireLimits.systemdMs }, error => {
      if (error !== null)
        report(`systemd could not be notified of ${assignments.join(', ')}: ${error.message}`)
      resolve()
    })
  })
}
