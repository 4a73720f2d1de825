import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { selfSignedCertificate } from '../../src/edge/tls/self-signed.ts'
import { freePort } from '../../src/kit/testing/free-port.ts'
import { eventually } from './eventually.ts'

const { error } = spawnSync('pebble', ['-version'])
if (error !== undefined) console.error('NOT TESTED: certificates by ACME: pebble is not installed')
export const withoutPebble = error === undefined ? false : 'no pebble on the path'

export interface PebbleOptions {
  /** Ports of the edge, which every name resolves to. */
  readonly httpPort: number
  readonly tlsPort: number
  /** Life of its certificates. */
  readonly validSeconds?: number
  /** Keys for external account binding, by kid; the CA then demands one. */
  readonly externalAccounts?: Readonly<Record<string, string>>
}

/** Let's Encrypt's test authority. It checks every name at 127.0.0.1. */
export interface Pebble {
  readonly directory: string
  /** In PEM; its own address has this certificate. */
  readonly trusted: string
  /** The root of the certificates that it issues, in PEM. */
  root(): Promise<string>
  stop(): Promise<void>
  /** Starts it again without its state, on the same port. */
  start(): Promise<void>
}

export async function startPebble(t: Pick<TestContext, 'after'>, options: PebbleOptions): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-pebble-'))
  const [port, managementPort, dnsPort, dnsManagementPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const pair = await selfSignedCertificate(['127.0.0.1'], new Date(Date.now() - 60_000))
  await writeFile(join(folder, 'certificate.pem'), pair.certificate)
  await writeFile(join(folder, 'key.pem'), pair.key)
  const config = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: join(folder, 'certificate.pem'),
    privateKey: join(folder, 'key.pem'),
    httpPort: options.httpPort,
    tlsPort: options.tlsPort,
    certificateValidityPeriod: options.validSeconds ?? 90 * 86_400,
    externalAccountBindingRequired: options.externalAccounts !== undefined,
    externalAccountMACKeys: options.externalAccounts ?? {},
  }
  await writeFile(join(folder, 'config.json'), JSON.stringify({ pebble: config }))
  const names = run('pebble-challtestsrv', [
    ...['-dns01', `127.0.0.1:${dnsPort}`, '-management', `127.0.0.1:${dnsManagementPort}`],
    ...['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', ''],
  ])
  let pebble: ChildProcess
  const start = async () => {
    pebble = run('pebble', ['-config', join(folder, 'config.json'), '-dnsserver', `127.0.0.1:${dnsPort}`])
    await eventually(() => read(port, '/dir', pair.certificate))
  }
  const stop = () => end(pebble)
  await start()
  t.after(async () => {
    await Promise.all([end(names), stop()])
    await rm(folder, { recursive: true })
  })
  return {
    directory: `https://127.0.0.1:${port}/dir`,
    trusted: pair.certificate,
    root: () => read(managementPort, '/roots/0', pair.certificate),
    start,
    stop,
  }
}

function run(program: string, flags: string[]): ChildProcess {
  // It neither waits before its checks nor leaves them out.
  const env = { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0' }
  return spawn(program, flags, { stdio: process.env['DEBUG'] ? 'inherit' : 'ignore', env })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

function read(port: number, path: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, ca, agent: false }, async response => {
      let text = ''
      for await (const chunk of response) text += chunk
      if (response.statusCode === 200) resolve(text)
      else reject(new Error(`${path}: ${response.statusCode}`))
    })
    sent.on('error', reject)
    sent.end()
  })
}
