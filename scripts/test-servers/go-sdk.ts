import { join } from 'node:path'
import { run, type TestServer } from './test-server.ts'

/** Its tests, in Go. `go.mod` has the version of the SDK. */
const flows = join(import.meta.dirname, '../../test/servers/go-sdk')

/** Cloudflare's Go SDK. Go keeps the compiled packages in its cache; they take minutes and gigabytes of memory. */
export const goSdk: TestServer = {
  name: 'go-sdk',
  version: '6.10.0',
  needs: ['go'],
  variable: 'SLUICE_TEST_GO_SDK',
  async build(directory) {
    run('go', ['test', '-c', '-p', '2', '-o', join(directory, 'compiled.test'), '.'], flows)
  },
}
