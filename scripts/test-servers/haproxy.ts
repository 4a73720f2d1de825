import { globSync } from 'node:fs'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../src/kit/folders.ts'
import { suiteOptions } from '../../src/kit/testing/debian-suite.ts'
import { run, type TestServer } from './test-server.ts'

/** Debian's next release. Its HAProxy is newer than 3.1, from which on agents have `mode spop`. */
const suite = 'forky'

/** HAProxy of a newer Debian, with the libraries of that Debian: nothing is installed. */
export const haproxy: TestServer = {
  name: 'haproxy',
  version: suite,
  needs: ['apt-get', 'dpkg-deb'],
  variable: 'SLUICE_TEST_HAPROXY',
  async build(directory) {
    const apt = join(directory, 'apt')
    const options = await suiteOptions(suite, apt)
    run('apt-get', [...options, '-qq', 'update'], directory)
    // Nothing counts as installed, so apt brings all libraries.
    const install = ['install', '--download-only', '--no-install-recommends', '-qq', '-y', 'haproxy']
    run('apt-get', [...options, ...install], directory)
    for (const archive of globSync(`${apt}/archives/*.deb`)) run('dpkg-deb', ['-x', archive, '.'], directory)
    await rm(apt, { recursive: true })
    const command = join(directory, 'bin-for-tests/haproxy')
    await makeFolder(join(command, '..'))
    await writeFile(command, script)
    await chmod(command, 0o755)
  },
}

/** Runs the program with its own loader, because the machine's libraries can be older. */
const script = `#!/bin/sh
root=$(dirname "$(dirname "$0")")
libraries=$(echo "$root"/usr/lib/*-linux-gnu)
exec "$libraries"/ld-linux-*.so.* --library-path "$libraries" "$root/usr/sbin/haproxy" "$@"
`
