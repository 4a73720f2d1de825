import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ends, type RunningProxy, startProxy } from '../../src/agents/testing/proxies.ts'
import { selfSignedCertificate } from '../../src/edge/index.ts'
import { freePort } from '../../src/kit/testing/free-port.ts'

export interface Nginx extends RunningProxy {
  readonly port: number
  readonly tlsPort: number
}

/** Debian's nginx as a proxy with TLS, HTTP/2 and an access log; one worker, as the edge has. */
export async function startNginx(ends: Ends, host: string, originPort: number): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-nginx-'))
  ends.after(() => rm(folder, { recursive: true }))
  // nginx drops the rights of root.
  await chmod(folder, 0o777)
  const [port, tlsPort] = [await freePort(), await freePort()]
  const { certificate, key } = await selfSignedCertificate([host], new Date())
  await writeFile(join(folder, 'site.pem'), certificate)
  await writeFile(join(folder, 'site.key'), key)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const config = join(folder, 'nginx.conf')
  await writeFile(
    config,
    `daemon off;
master_process off;
pid ${folder}/nginx.pid;
worker_rlimit_nofile 20000;
error_log stderr crit;
events { worker_connections 20000; }
http {
  access_log ${folder}/access.log combined buffer=64k;
  ${temporary.map(name => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  gzip on;
  gzip_comp_level 6;
  keepalive_requests 1000000000;
  keepalive_timeout 600;
  upstream origin { server 127.0.0.1:${originPort}; keepalive 128; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    listen 127.0.0.1:${tlsPort} ssl http2 backlog=4096;
    ssl_certificate ${folder}/site.pem;
    ssl_certificate_key ${folder}/site.key;
    ssl_protocols TLSv1.2 TLSv1.3;
    location / {
      proxy_pass http://origin;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
    }
  }
}
`,
  )
  const proxy = await startProxy(ends, ['nginx', '-e', 'stderr', '-p', folder, '-c', config], port)
  return { ...proxy, port, tlsPort }
}
