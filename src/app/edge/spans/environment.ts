import { readFileSync } from 'node:fs'

/** The share of requests that are sampled, as the variables of OpenTelemetry say it. */
export interface Sampling {
  /** Of requests that bring no decision, 0–1. */
  readonly share: number
  /** The decision of the client or the proxy before the edge counts. */
  readonly parentBased: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** The variables of OpenTelemetry do not allow spans as they are. The message says what to set. */
export class TracesError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TracesError'
  }
}

/** OpenTelemetry's own switch turns spans off, even where `SLUICE_TRACES` turns them on. */
export function areTracesOn(traces: boolean, { OTEL_SDK_DISABLED: disabled }: Environment): boolean {
  return traces && disabled?.trim().toLowerCase() !== 'true'
}

/**
 * Reads the variables that the SDK leaves to its user, and refuses values that it would replace silently.
 * @source https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 * @throws TracesError
 */
export function readSampling(environment: Environment): Sampling {
  checkExporter(environment)
  const name = environment['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on'
  const [, parentBased, sampler] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? []
  if (sampler === undefined)
    throw new TracesError(
      `OTEL_TRACES_SAMPLER=${name} is not a sampler of Sluice: use always_on, always_off or traceidratio, or one of them after parentbased_`,
    )
  const share = sampler === 'always_on' ? 1 : sampler === 'always_off' ? 0 : readShare(environment)
  return { share, parentBased: parentBased !== undefined }
}

function readShare({ OTEL_TRACES_SAMPLER_ARG: text = '' }: Environment): number {
  const share = text === '' ? 1 : Number(text)
  if (share >= 0 && share <= 1) return share
  throw new TracesError(
    `OTEL_TRACES_SAMPLER_ARG=${text} is not a share: use a number from 0 to 1, such as 0.01`,
  )
}

function checkExporter(environment: Environment): void {
  const [protocol] = givenOf(environment, 'PROTOCOL')
  if (protocol !== undefined && protocol !== 'http/protobuf')
    throw new TracesError(
      `OTLP by ${protocol} is not supported: set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf`,
    )
  const [endpoint, variable] = givenOf(environment, 'ENDPOINT')
  if (endpoint !== undefined && !/^https?:$/.test(URL.canParse(endpoint) ? new URL(endpoint).protocol : ''))
    throw new TracesError(`${variable} is not a URL: use one such as http://127.0.0.1:4318`)
  const [timeout, timeoutVariable] = givenOf(environment, 'TIMEOUT')
  if (timeout !== undefined && !(Number(timeout) > 0 && Number.isFinite(Number(timeout))))
    throw new TracesError(`${timeoutVariable}=${timeout} is not a time: use milliseconds, such as 10000`)
  const [compression, compressionVariable] = givenOf(environment, 'COMPRESSION')
  if (compression !== undefined && !['none', 'gzip'].includes(compression.trim()))
    throw new TracesError(`${compressionVariable}=${compression} is not supported: use gzip or none`)
  for (const variable of ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'])
    checkHeaders(environment[variable] ?? '', variable)
  for (const file of ['CERTIFICATE', 'CLIENT_CERTIFICATE', 'CLIENT_KEY'])
    checkFile(...givenOf(environment, file))
}

/** The message has no value, because headers have tokens. */
function checkHeaders(text: string, variable: string): void {
  const pairs = text.split(',').filter(pair => pair.trim() !== '')
  if (!pairs.every(isHeader))
    throw new TracesError(
      `${variable} is not a list of headers: use name=value,name=value and percent-encode a comma, semicolon or % in values`,
    )
}

function isHeader(pair: string): boolean {
  const at = pair.indexOf('=')
  if (pair.slice(0, Math.max(0, at)).trim() === '' || pair.slice(at + 1).trim() === '') return false
  if (pair.includes(';')) return false
  try {
    decodeURIComponent(pair)
    return true
  } catch {
    return false
  }
}

function checkFile(path: string | undefined, variable: string): void {
  if (path === undefined) return
  try {
    readFileSync(path)
  } catch (error) {
    throw new TracesError(`${variable} cannot be read: ${(error as Error).message}`)
  }
}

function givenOf(environment: Environment, what: string): readonly [string | undefined, string] {
  const own = `OTEL_EXPORTER_OTLP_TRACES_${what}`
  const common = `OTEL_EXPORTER_OTLP_${what}`
  return environment[own] ? [environment[own], own] : [environment[common] || undefined, common]
}
