import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../src/kit/testing/free-port.ts'
import type { PeerPackages } from './packages.ts'
import { type Peer, PeerServer } from './server.ts'

/** Apache with Debian's mod_security2 (ModSecurity 2). */
export function apachePeer(packages: PeerPackages): Peer {
  const versions = ['apache2-bin', 'libapache2-mod-security2'].map(name =>
    `${name} ${packages.version(name) ?? ''}`.trim(),
  )
  return {
    name: versions.join(', '),
    async start(rules, directory) {
      const port = await freePort()
      const pages = join(directory, 'pages')
      await mkdir(pages, { recursive: true })
      await writeFile(join(pages, 'empty'), '')
      // Started by root, the server changes to an unprivileged user, who keeps its data here.
      await chmod(directory, 0o777)
      const config = join(directory, 'apache.conf')
      await writeFile(config, configuration(port, packages, rules, directory))
      const [program, ...words] = await packages.command('/usr/sbin/apache2', ['-X', '-f', config])
      return PeerServer.spawn(program, words, process.env, port)
    },
  }
}

function configuration(
  port: number,
  packages: PeerPackages,
  rules: string | undefined,
  directory: string,
): string {
  const modules = ['mpm_prefork', 'authz_core', 'alias', ...(rules === undefined ? [] : ['unique_id'])]
  const load = (name: string, file: string) =>
    `LoadModule ${name} ${packages.path(`/usr/lib/apache2/modules/${file}.so`)}`
  return `ServerRoot ${directory}
ServerName localhost
PidFile ${directory}/apache.pid
DefaultRuntimeDir ${directory}
Mutex pthread
${modules.map(name => load(`${name}_module`, `mod_${name}`)).join('\n')}
${rules === undefined ? '' : load('security2_module', 'mod_security2')}
User www-data
Group www-data
ErrorLog /dev/null
LogLevel emerg
Listen 127.0.0.1:${port}
KeepAlive On
MaxKeepAliveRequests 0
KeepAliveTimeout 300
DocumentRoot ${directory}/pages
AliasMatch "^/.*" ${directory}/pages/empty
<Directory ${directory}/pages>
  Require all granted
</Directory>
${rules === undefined ? '' : `Include ${rules}`}
`
}
