import { existsSync } from 'node:fs'
import { access, constants, readFile, statfs } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { tryAddresses } from '../../../app/index.ts'
import { lockFile } from '../../../kit/lock-file.ts'
import type { Listen, Settings, UnixListen } from '../../../model/settings/index.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import { doctorLimits } from './limits.ts'

/** Beside a running Sluice, its addresses have to answer; else they have to be free. */
export async function checkPorts(settings: Settings): Promise<readonly Finding[]> {
  const isRunning = await runs(settings)
  const findings: Finding[] = []
  for (const { listen, setting, fault: problem } of await tryAddresses(settings)) {
    const address = 'path' in listen ? listen.path : `${listen.host}:${listen.port}`
    const isTaken = (problem?.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE'
    if (isRunning && (isTaken || 'path' in listen))
      findings.push(
        (await accepts(listen))
          ? ok('ports', `${address} accepts connections`)
          : fault('ports', `${address} does not accept connections`, `restart Sluice, or correct ${setting}`),
      )
    else if (isRunning && problem === undefined)
      findings.push(
        warning(
          'ports',
          `nothing listens on ${address}, although Sluice runs`,
          `run sluice doctor with the settings of the running Sluice, or restart it (${setting})`,
        ),
      )
    else if (problem === undefined) findings.push(ok('ports', `${address} is free`))
    else findings.push(fault('ports', problem.message, `free the address, or set ${setting}`))
  }
  return findings
}

/** Whether a process has one of the roles on the data directory. */
async function runs({ data, roles }: Settings): Promise<boolean> {
  for (const role of roles) {
    const path = join(data, `lock-${role}`)
    if (!existsSync(path)) continue
    const unlock = await lockFile(path, 0)
    if (unlock === undefined) return true
    unlock()
  }
  return false
}

function accepts(listen: Listen | UnixListen): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect('path' in listen ? { path: listen.path } : { host: listen.host, port: listen.port })
  socket.setTimeout(doctorLimits.portMs, () => resolve(false))
  socket.once('connect', () => resolve(true))
  socket.once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

export async function checkDisk({ data, spoolBytes }: Settings): Promise<readonly Finding[]> {
  let folder = resolve(data)
  while (!existsSync(folder)) folder = dirname(folder)
  try {
    await access(folder, constants.W_OK)
  } catch {
    return [
      fault('disk', `${folder} cannot be written to`, 'give the directory to the user that runs Sluice'),
    ]
  }
  const { bavail, bsize, blocks } = await statfs(folder)
  const free = bavail * bsize
  const state = `${gibibytes(free)} of ${gibibytes(blocks * bsize)} are free in ${folder}`
  const action = `free space, or lower SLUICE_SPOOL_BYTES (${gibibytes(spoolBytes)}) and SLUICE_ANALYTICS_BYTES`
  if (free < doctorLimits.freeBytesMin) return [fault('disk', state, action)]
  return [bavail / blocks < doctorLimits.freeShareMin ? warning('disk', state, action) : ok('disk', state)]
}

function gibibytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`
}

/** Of each request: the client's connection and the origin's. The rest is for files and idle connections. */
const filesPerRequest = 2
const filesBeside = 1024

/** Node raises its own limit to the hard limit at the start. Only Linux shows it. */
export async function checkFiles({ workers, requestsInFlight }: Settings): Promise<readonly Finding[]> {
  if (process.platform !== 'linux') return []
  const text = await readFile('/proc/self/limits', 'latin1')
  const limit = /^Max open files\s+\S+\s+(\S+)/m.exec(text)?.[1] ?? 'unlimited'
  const wanted = workers * requestsInFlight * filesPerRequest + filesBeside
  const state = `${limit} open files are allowed; ${workers} workers may need ${wanted}`
  if (limit === 'unlimited' || Number(limit) >= wanted) return [ok('files', state)]
  return [
    warning('files', state, `raise the hard limit to ${wanted} (systemd: LimitNOFILE=, shell: ulimit -Hn)`),
  ]
}
