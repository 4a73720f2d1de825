import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { freePort } from '../../kit/testing/free-port.ts'

/** @returns the reason to skip a test; false when the program is installed */
export function without(program: string): string | false {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0 ? false : `no ${program}`
}

/** A test, or several that share what ends after them. */
export type Ends = Pick<TestContext, 'after'>

/** A file of `deploy/`, with other addresses. */
export function deployed(path: string, replacements: Readonly<Record<string, string>>): string {
  let text = readFileSync(join(import.meta.dirname, '../../../deploy', path), 'utf8')
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
    text = text.replaceAll(from, to)
  }
  return text
}

/** Writes files into a folder that ends with the test. @returns the folder */
export function folderWith(t: Ends, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-proxy-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** A running proxy. */
export interface RunningProxy {
  readonly url: string
  readonly pid: number
}

/** Starts a proxy and waits until it listens. */
export async function startProxy(
  t: Ends,
  [program, ...options]: readonly [string, ...string[]],
  port: number,
  environment: NodeJS.ProcessEnv = {},
): Promise<RunningProxy> {
  const child = spawn(program, options, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', part => (output += part))
  const ended = new Promise(resolve => child.once('exit', resolve))
  t.after(() => {
    child.kill('SIGTERM')
    const force = setTimeout(() => child.kill('SIGKILL'), 3000)
    return ended.then(() => clearTimeout(force))
  })
  for (let tries = 0; !(await accepts(port)); tries++) {
    if (child.exitCode !== null || tries > 400) throw new Error(`${program} does not listen: ${output}`)
    await new Promise(resolve => setTimeout(resolve, 25))
  }
  return { url: `http://127.0.0.1:${port}`, pid: child.pid! }
}

/** Where a proxy finds its agent, and the server that it protects; ports of this machine. */
export interface ProxyPorts {
  readonly agentPort: number
  readonly originPort: number
}

/** How long proxies wait for a verdict: longer than `deploy/` says, because the machine can be busy with other tests. */
const patience = '60s'

/** Starts HAProxy with the configuration of `deploy/`. */
export async function startHaproxy(
  t: Ends,
  { agentPort, originPort }: ProxyPorts,
  verdictTimeout = patience,
): Promise<RunningProxy> {
  const port = await freePort()
  const folder = folderWith(t, {
    'sluice.spoe.conf': deployed('haproxy/sluice.spoe.conf', {
      'processing 2s': `processing ${verdictTimeout}`,
      'hello 2s': `hello ${patience}`,
    }),
    'sluice.lua': deployed('haproxy/sluice.lua', {}),
  })
  const config = deployed('haproxy/haproxy.cfg', {
    '/etc/haproxy': folder,
    // The user of the package; tests run as anyone.
    '  user haproxy\n  group haproxy\n': '',
    'bind :80': `bind 127.0.0.1:${port}`,
    '127.0.0.1:3000': `127.0.0.1:${originPort}`,
    '127.0.0.1:8082': `127.0.0.1:${agentPort}`,
  })
  const main = folderWith(t, { 'haproxy.cfg': config })
  return startProxy(t, ['haproxy', '-f', `${main}/haproxy.cfg`, '-db'], port)
}

/** Starts nginx with the configuration of `deploy/`, for the host `site.test`. */
export async function startNginx(t: Ends, { agentPort, originPort }: ProxyPorts): Promise<RunningProxy> {
  const port = await freePort()
  const site = deployed('nginx/sluice.conf', {
    '127.0.0.1:8081': `127.0.0.1:${agentPort}`,
    '127.0.0.1:3000': `127.0.0.1:${originPort}`,
    'listen 80': `listen 127.0.0.1:${port}`,
    'shop.example': 'site.test',
  })
  const folder = folderWith(t, { 'site.conf': site })
  const main = `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr; events {}
http { access_log off; client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s; include ${folder}/site.conf; }`
  const config = folderWith(t, { 'nginx.conf': main })
  return startProxy(t, ['nginx', '-e', 'stderr', '-c', `${config}/nginx.conf`], port)
}

/** Starts Envoy with a configuration of `deploy/envoy/`. */
export async function startEnvoy(
  t: Ends,
  file: 'ext-proc.yaml' | 'ext-authz.yaml',
  { agentPort, originPort }: ProxyPorts,
): Promise<RunningProxy> {
  const port = await freePort()
  const config = deployed(`envoy/${file}`, {
    'address: 0.0.0.0, port_value: 80 ': `address: 127.0.0.1, port_value: ${port} `,
    'port_value: 3000': `port_value: ${originPort}`,
    'port_value: 8083': `port_value: ${agentPort}`,
    'timeout: 2s': `timeout: ${patience}`,
  })
  const path = `${folderWith(t, { 'envoy.yaml': config })}/envoy.yaml`
  const options = ['--concurrency', '1', '--use-dynamic-base-id', '-l', 'error']
  return startProxy(t, ['envoy', '-c', path, ...options], port)
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

export interface Told {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Sends a request with the host of the zone. */
export async function ask(
  url: string,
  path: string,
  init: RequestInit & { readonly host?: string } = {},
): Promise<Told> {
  // fetch sets Host itself; node's client does not.
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    const sent = request(
      url + path,
      {
        method: init.method ?? 'GET',
        headers: { Host: init.host ?? 'site.test', ...(init.headers as Record<string, string>) },
        agent: false,
      },
      response => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', part => (text += part))
        response.on('end', () => {
          const headers = new Headers()
          for (const [name, values] of Object.entries(response.headersDistinct))
            for (const value of values ?? []) headers.append(name, value)
          resolve({ status: response.statusCode!, headers, text })
        })
      },
    )
    sent.once('error', reject)
    sent.end(init.body as string | undefined)
  })
}

/** The request as the origin received it. */
export function received({ text }: Told): {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly bodyBytes: number
} {
  return JSON.parse(text)
}
