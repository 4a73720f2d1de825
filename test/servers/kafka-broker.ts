import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../src/kit/testing/free-port.ts'
import { eventually } from '../support/eventually.ts'
import { serverCertificate, serverKey } from '../support/receivers/receiver.ts'

const executed = promisify(execFile)

export interface KafkaLine {
  readonly partition: number
  readonly key: string
  readonly value: string
}

/** One broker of Apache Kafka, with a listener of each kind. */
export interface KafkaServer {
  /** `127.0.0.1:PORT` of the listeners; those with SASL know one user, by PLAIN and by SCRAM. */
  readonly plain: string
  readonly tls: string
  readonly sasl: string
  readonly saslTls: string
  readonly user: { readonly name: string; readonly password: string }
  createTopic(name: string, partitions: number, configs?: readonly string[]): Promise<void>
  /** All that a topic holds, each partition in its order. */
  messages(topic: string): Promise<KafkaLine[]>
  close(): Promise<void>
}

const user = { name: 'mary', password: 'the right word' }
const mechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512']

/** @param home as `npm run test:servers` has made it */
export async function startKafkaServer(home: string): Promise<KafkaServer> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-kafka-'))
  const [plain, tls, sasl, saslTls, controller] = await Promise.all(Array.from({ length: 5 }, freePort))
  const settings = join(directory, 'server.properties')
  await writeFile(join(directory, 'server.pem'), `${serverKey}\n${serverCertificate}\n`)
  await writeFile(
    settings,
    properties(directory, { PLAIN: plain!, TLS: tls!, SASL: sasl!, BOTH: saslTls! }, controller!),
  )
  const java = (name: string, ...words: string[]) => [
    '-Xmx512m',
    '-cp',
    join(home, 'lib', '*'),
    name,
    ...words,
  ]
  const tool = async (name: string, ...words: string[]) =>
    (await executed('java', java(name, ...words), { maxBuffer: 256 * 1024 * 1024 })).stdout
  const bootstrap = ['--bootstrap-server', `127.0.0.1:${plain}`]
  const scram = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap(mechanism => [
    '--add-scram',
    `${mechanism}=[name=${user.name},password=${user.password}]`,
  ])
  const id = ['-t', 'MkU3OEVBNTcwNTJENDM2Qk', '-c', settings]
  await tool('kafka.tools.StorageTool', 'format', ...id, ...scram)
  const server: ChildProcess = spawn('java', java('kafka.Kafka', settings), { stdio: 'ignore' })
  const exited = once(server, 'exit')
  await eventually(() => tool('org.apache.kafka.tools.TopicCommand', ...bootstrap, '--list'))
  return {
    plain: `127.0.0.1:${plain}`,
    tls: `127.0.0.1:${tls}`,
    sasl: `127.0.0.1:${sasl}`,
    saslTls: `127.0.0.1:${saslTls}`,
    user,
    async createTopic(name, partitions, configs = []) {
      const words = ['--create', '--topic', name, '--partitions', String(partitions)]
      const options = configs.flatMap(config => ['--config', config])
      await tool('org.apache.kafka.tools.TopicCommand', ...bootstrap, ...words, ...options)
    },
    async messages(topic) {
      const format = ['print.partition=true', 'print.key=true', 'key.separator=|'].flatMap(one => [
        '--property',
        one,
      ])
      const words = ['--topic', topic, '--from-beginning', '--timeout-ms', '5000', ...format]
      const text = await tool('org.apache.kafka.tools.consumer.ConsoleConsumer', ...bootstrap, ...words)
      return text.split('\n').flatMap(line => {
        const match = /^Partition:(\d+)\|([^|]*)\|(.*)$/.exec(line)
        return match === null ? [] : [{ partition: Number(match[1]), key: match[2]!, value: match[3]! }]
      })
    },
    async close() {
      server.kill('SIGKILL')
      await exited
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** @param listeners name → port; TLS and BOTH speak TLS, SASL and BOTH want a user */
function properties(
  directory: string,
  listeners: Readonly<Record<string, number>>,
  controller: number,
): string {
  const names = Object.keys(listeners)
  const at = (name: string) => `${name}://127.0.0.1:${listeners[name]}`
  const plainUser = `org.apache.kafka.common.security.plain.PlainLoginModule required user_${user.name}="${user.password}";`
  const scramUser = 'org.apache.kafka.common.security.scram.ScramLoginModule required;'
  const lines: Readonly<Record<string, string | number>> = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: [...names.map(at), `CONTROLLER://127.0.0.1:${controller}`].join(','),
    'advertised.listeners': names.map(at).join(','),
    'listener.security.protocol.map':
      'PLAIN:PLAINTEXT,TLS:SSL,SASL:SASL_PLAINTEXT,BOTH:SASL_SSL,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'PLAIN',
    'log.dirs': join(directory, 'logs'),
    'offsets.topic.replication.factor': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'auto.create.topics.enable': 'false',
    'group.initial.rebalance.delay.ms': 0,
    'sasl.enabled.mechanisms': mechanisms.join(','),
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': join(directory, 'server.pem'),
    ...Object.fromEntries(
      ['sasl', 'both'].flatMap(name =>
        mechanisms.map(mechanism => [
          `listener.name.${name}.${mechanism.toLowerCase()}.sasl.jaas.config`,
          mechanism === 'PLAIN' ? plainUser : scramUser,
        ]),
      ),
    ),
  }
  return Object.entries(lines)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}
