import { join } from 'node:path'
import { run, type TestServer } from './test-server.ts'

/** Its program, in Go. `go.mod` has the versions. */
const program = join(import.meta.dirname, '../../test/servers/otel-collector')

/** The OpenTelemetry Collector with the parts that the tests need; the project publishes it as modules for such builds. */
export const otelCollector: TestServer = {
  name: 'otel-collector',
  version: '0.161.0',
  needs: ['go'],
  variable: 'SLUICE_TEST_OTEL_COLLECTOR',
  async build(directory) {
    run('go', ['build', '-p', '2', '-o', join(directory, 'otel-collector'), '.'], program)
  },
}
