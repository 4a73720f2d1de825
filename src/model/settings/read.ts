import type { Diagnostic, Outcome } from '../../kit/diagnostic.ts'
import { nearest } from '../../kit/nearest.ts'
import { type SettingDeclaration, settingDeclarations } from './declarations.ts'
import { lackingNatsBytes } from './nats.ts'
import type { Settings } from './settings.ts'

/** `--api-listen` for `SLUICE_API_LISTEN`. */
export function flagOf(declaration: Pick<SettingDeclaration, 'variable'>): string {
  return `--${declaration.variable.slice('SLUICE_'.length).toLowerCase().replaceAll('_', '-')}`
}

/**
 * Reads every setting; a flag wins over the variable.
 * @param flags flag name without dashes → value
 * @returns every fault with its setting, its value (unless secret) and the allowed values
 */
export function readSettings(
  environment: { readonly [name: string]: string | undefined },
  flags: ReadonlyMap<string, string> = new Map(),
): Outcome<Settings> {
  const settings: Record<string, unknown> = {
    trustedProxies: [],
    geoDatabases: [],
    tlsCertificates: [],
    originSockets: [],
    oidcRoles: [],
  }
  const diagnostics = unknownSettings(environment, flags)
  for (const declaration of settingDeclarations) {
    const flag = flagOf(declaration).slice(2)
    const written = flags.get(flag) ?? environment[declaration.variable]
    const value = written ?? declaration.default
    if (value === undefined) {
      settings[declaration.key] ??= undefined
      continue
    }
    const parsed = declaration.parse(value)
    if (parsed === undefined) {
      const name = flags.has(flag) ? `--${flag}` : declaration.variable
      diagnostics.push(malformed(declaration, name, value))
    }
    const lacking = written === undefined ? undefined : lackingFor(declaration, environment, flags)
    if (lacking !== undefined) diagnostics.push(lacking)
    settings[declaration.key] = parsed
  }
  if (diagnostics.length > 0) return { ok: false, diagnostics }
  const value = settings as unknown as Settings
  const bytes = lackingNatsBytes(value)
  return bytes === undefined ? { ok: true, value } : { ok: false, diagnostics: [smallStreams(value, bytes)] }
}

function smallStreams({ natsPartitions }: Settings, bytes: number): Diagnostic {
  const variable = 'SLUICE_NATS_BYTES'
  const message = `${variable} is too small for ${natsPartitions} streams`
  return problem('malformed-setting', variable, message, `set it to at least ${bytes / 1024 ** 2}MiB`)
}

function unknownSettings(
  environment: { readonly [name: string]: string | undefined },
  flags: ReadonlyMap<string, string>,
): Diagnostic[] {
  const variables = settingDeclarations.map(declaration => declaration.variable)
  const flagNames = settingDeclarations.map(flagOf)
  return [
    ...Object.keys(environment)
      .filter(name => name.startsWith('SLUICE_') && !variables.includes(name))
      .map(name => unknown(name, variables)),
    ...[...flags.keys()]
      .map(name => `--${name}`)
      .filter(name => !flagNames.includes(name))
      .map(name => unknown(name, flagNames)),
  ]
}

function unknown(name: string, known: readonly string[]): Diagnostic {
  const close = nearest(name, known)
  return problem('unknown-setting', name, `there is no setting ${name}`, close && `did you mean ${close}?`)
}

/** An ignored setting is a mistake, because the operator relies on it. */
function lackingFor(
  { variable, needs }: SettingDeclaration,
  environment: { readonly [name: string]: string | undefined },
  flags: ReadonlyMap<string, string>,
): Diagnostic | undefined {
  if (
    needs === undefined ||
    environment[needs] !== undefined ||
    flags.has(flagOf({ variable: needs }).slice(2))
  )
    return undefined
  return problem('lacking-setting', variable, `${variable} has no effect without ${needs}, which is not set`)
}

function malformed(declaration: SettingDeclaration, name: string, value: string): Diagnostic {
  const secret = [
    'adminToken',
    'adminKey',
    'databaseUrl',
    'secretKey',
    'natsUrl',
    'redisUrl',
    'clickhouseUrl',
    'acmeEabHmacKey',
    'oidcClientSecret',
  ].includes(declaration.key)
  const shown = secret ? 'the value given (not shown)' : `'${value}'`
  return problem(
    'malformed-setting',
    name,
    `${shown} is not a valid value for ${name}: allowed is ${declaration.allowed}`,
  )
}

function problem(code: string, source: string, message: string, hint?: string): Diagnostic {
  return { code, message, source, line: 1, column: 1, length: 1, ...(hint === undefined ? {} : { hint }) }
}

/** One line for the terminal. */
export function formatProblem(problem: Diagnostic): string {
  return problem.hint === undefined ? problem.message : `${problem.message}; ${problem.hint}`
}
