import { join } from 'node:path'
import { run, type TestServer } from './test-server.ts'

/** Its tests, in Go. `go.mod` has the version of the SDK. */
const flows = join(import.meta.dirname, '../../test/servers/go-sdk')

/**
 * Cloudflare's Go SDK, and the older client of Terraform's provider 4. Go keeps the compiled packages in its cache; they
 * take minutes.
 */
export const goSdk: TestServer = {
  name: 'go-sdk',
  version: '6.10.0-0.116.0',
  needs: ['go'],
  variable: 'SLUICE_TEST_GO_SDK',
  async build() {
    run('go', ['test', '-p', '2', '-run', '^$', './...'], flows)
  },
}
