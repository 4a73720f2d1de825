import { isIPv6 } from 'node:net'
import type { Checked } from '../../../model/problem.ts'
import { accept } from '../../problems.ts'
import { badDestination, destinationQuery } from '../destination-text.ts'
import { destinationLimits } from '../limits.ts'

/** The content of a `kafka://` destination. */
export interface KafkaSettings {
  readonly brokers: readonly { readonly host: string; readonly port: number }[]
  readonly topic: string
  readonly tls: boolean
  readonly sasl:
    | {
        readonly mechanism: (typeof mechanisms)[number]
        readonly username: string
        readonly password: string
      }
    | undefined
}

const mechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const
const form = 'kafka://[USER:PASSWORD@]BROKER:PORT[,BROKER:PORT…]/TOPIC'

/** Reads the text of a `kafka://` destination. */
export function parseKafkaSettings(destinationConf: string): Checked<KafkaSettings> {
  const match = /^kafka:\/\/(?:([^@/?#]*)@)?([^@/?#]+)\/([^/?#]+)(?:\?([^#]*))?$/.exec(destinationConf)
  if (match === null) return badDestination(`it must have the form ${form}`)
  const [, user, hosts, topic, text] = match
  if (!/^[a-zA-Z0-9._-]{1,249}$/.test(topic!))
    return badDestination(
      'the brokers must be followed by the name of a topic: letters, digits, dots, _ and -',
    )
  const brokers = hosts!.split(',').map(brokerOf)
  if (brokers.length > destinationLimits.kafkaBrokersMax || brokers.some(broker => broker === undefined))
    return badDestination(`it must name 1 to ${destinationLimits.kafkaBrokersMax} brokers as HOST:PORT`)
  const query = destinationQuery(text, ['tls', 'sasl'])
  if (!query.ok) return query
  const tls = query.value.get('tls') ?? 'true'
  if (tls !== 'true' && tls !== 'false') return badDestination('tls can only be true or false')
  const sasl = saslOf(user, query.value.get('sasl') ?? 'PLAIN')
  if (sasl === 'invalid')
    return badDestination(
      `sasl must be one of ${mechanisms.join(', ')}, and needs USER:PASSWORD@ before the brokers`,
    )
  return accept({ brokers: brokers as KafkaSettings['brokers'], topic: topic!, tls: tls === 'true', sasl })
}

function brokerOf(text: string): KafkaSettings['brokers'][number] | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([a-zA-Z0-9._-]+)):(\d{1,5})$/.exec(text)
  if (match === null || (match[1] !== undefined && !isIPv6(match[1]))) return undefined
  const port = Number(match[3])
  return port === 0 || port > 65535 ? undefined : { host: (match[1] ?? match[2])!, port }
}

function saslOf(user: string | undefined, wanted: string): KafkaSettings['sasl'] | 'invalid' {
  const mechanism = mechanisms.find(known => known === wanted.toUpperCase())
  if (mechanism === undefined) return 'invalid'
  if (user === undefined) return undefined
  const colon = user.indexOf(':')
  if (colon <= 0) return 'invalid'
  try {
    return {
      mechanism,
      username: decodeURIComponent(user.slice(0, colon)),
      password: decodeURIComponent(user.slice(colon + 1)),
    }
  } catch {
    return 'invalid'
  }
}
