import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../src/kit/testing/free-port.ts'
import type { PeerPackages } from './packages.ts'
import { type Peer, PeerServer } from './server.ts'

/** nginx with Debian's libmodsecurity (ModSecurity 3). */
export function nginxPeer(packages: PeerPackages): Peer {
  const versions = ['nginx', 'libmodsecurity3t64'].map(name =>
    `${name} ${packages.version(name) ?? ''}`.trim(),
  )
  return {
    name: versions.join(', '),
    async start(rules, directory) {
      const port = await freePort()
      const config = join(directory, 'nginx.conf')
      const module = packages.path('/usr/lib/nginx/modules/ngx_http_modsecurity_module.so')
      await writeFile(config, configuration(port, module, rules, directory))
      const args = ['-e', 'stderr', '-p', directory, '-c', config]
      const [program, ...words] = await packages.command('/usr/sbin/nginx', args)
      return PeerServer.spawn(program, words, process.env, port)
    },
  }
}

/**
 * Requests are passed on to a server of the same process that answers 200, because only then does the module see
 * bodies. That cost is in the figure without rules, too.
 */
function configuration(port: number, module: string, rules: string | undefined, directory: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `load_module ${module};
daemon off;
master_process off;
pid ${directory}/nginx.pid;
error_log stderr crit;
events { worker_connections 64; }
http {
  access_log off;
  ${temporary.map(name => `${name}_temp_path ${directory}/nginx-${name};`).join('\n  ')}
  client_body_buffer_size 256k;
  keepalive_requests 1000000000;
  upstream empty { server unix:${directory}/empty.sock; keepalive 4; keepalive_requests 1000000000; }
  server { listen unix:${directory}/empty.sock; return 200; }
  server {
    listen 127.0.0.1:${port};
    ${rules === undefined ? '' : `modsecurity on; modsecurity_rules_file ${rules};`}
    location / { proxy_pass http://empty; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}
`
}
