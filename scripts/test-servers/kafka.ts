import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run, type TestServer } from './test-server.ts'

const version = '4.1.0'

const project = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>sluice</groupId>
  <artifactId>kafka-for-tests</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>${version}</version>
    </dependency>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka-tools</artifactId>
      <version>${version}</version>
    </dependency>
  </dependencies>
</project>
`

/** Apache Kafka's broker and tools, as jars in `lib/`. */
export const kafka: TestServer = {
  name: 'kafka',
  version,
  needs: ['java', 'mvn'],
  variable: 'SLUICE_TEST_KAFKA',
  async build(directory) {
    await writeFile(join(directory, 'pom.xml'), project)
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=lib']
    run('mvn', ['-q', '-B', ...goal], directory)
  },
}
