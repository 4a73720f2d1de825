import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../src/kit/testing/free-port.ts'
import type { PeerPackages } from '../peers/packages.ts'
import { PeerServer } from '../peers/server.ts'

export interface NginxOrder {
  /** Of the program and the module. */
  readonly packages: PeerPackages
  /** File of the rules for ModSecurity; undefined: none. */
  readonly rules: string | undefined
  readonly originPort: number
  /** For its files. */
  readonly directory: string
}

/** nginx as a proxy with one process and an access log. @throws Error if it does not start */
export async function startNginx(order: NginxOrder): Promise<PeerServer> {
  const { packages, directory } = order
  const port = await freePort()
  await mkdir(directory, { recursive: true })
  const config = join(directory, 'nginx.conf')
  await writeFile(config, configuration(port, order))
  const args = ['-e', 'stderr', '-p', directory, '-c', config]
  const [program, ...words] = await packages.command('/usr/sbin/nginx', args)
  return PeerServer.spawn(program, words, process.env, port)
}

function configuration(port: number, { packages, rules, originPort, directory }: NginxOrder): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const module = packages.path('/usr/lib/nginx/modules/ngx_http_modsecurity_module.so')
  return `${rules === undefined ? '' : `load_module ${module};`}
daemon off;
master_process off;
pid ${directory}/nginx.pid;
error_log stderr crit;
events { worker_connections 256; }
http {
  access_log ${directory}/access.log combined buffer=64k;
  ${temporary.map(name => `${name}_temp_path ${directory}/${name};`).join('\n  ')}
  client_body_buffer_size 256k;
  keepalive_requests 1000000000;
  upstream origin { server 127.0.0.1:${originPort}; keepalive 128; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    ${rules === undefined ? '' : `modsecurity on; modsecurity_rules_file ${rules};`}
    location / {
      proxy_pass http://origin;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
    }
  }
}
`
}
